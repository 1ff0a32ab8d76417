import type { QueryResult } from "@/components/reports/answers";
import { attributionSentence } from "@/components/reports/attribution-sentence";
import type { Place, Report } from "@/components/reports/definition";
import { Says } from "@/components/reports/parts/says";
import { RefusedNotice } from "@/components/reports/refused-notice";
import { sheetsOf } from "./registry";

interface Props {
  report: Report;
  place: Place;
  answering: Promise<QueryResult<unknown>>;
}

/** What a report says first, and its body; or why there is none. */
export async function Answered({ report, place, answering }: Props) {
  const answer = await answering;
  if (answer.ok)
    return (
      <>
        {place.isShared && report.attributed?.(answer.answer) && (
          <p className="px-1 text-sm text-muted">
            {attributionSentence(place.query.attribution === "first" ? "first" : "last")}
          </p>
        )}
        <Says report={report} answer={answer.answer} />
        {await report.body({ answer: answer.answer, sheets: sheetsOf(report, answer.answer), ...place })}
      </>
    );
  return (
    <div className="card p-4">
      <RefusedNotice {...answer} />
    </div>
  );
}
