import type { QueryResult } from "@/components/reports/answers";
import type { Place, Report } from "@/components/reports/definition";
import { RefusedNotice } from "@/components/reports/refused-notice";
import { sheetsOf } from "./registry";

interface Props {
  report: Report;
  place: Place;
  answering: Promise<QueryResult<unknown>>;
}

/** The body of a report, or why there is none. */
export async function Answered({ report, place, answering }: Props) {
  const answer = await answering;
  if (answer.ok) return report.body({ answer: answer.answer, sheets: sheetsOf(report, answer.answer), ...place });
  return (
    <div className="card p-4">
      <RefusedNotice {...answer} />
    </div>
  );
}
