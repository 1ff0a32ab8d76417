import type { QueryResult } from "@/components/reports/answers";
import { attributionSentence } from "@/components/reports/attribution-sentence";
import type { Place, Report } from "@/components/reports/definition";
import { LazyAttributionChoice } from "@/components/reports/parts/lazy-parts";
import { Says } from "@/components/reports/parts/says";
import { RefusedNotice } from "@/components/reports/refused-notice";
import { Whole } from "@/components/ui/whole";
import { sheetsByKey } from "./registry";

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
        {report.attributed?.(answer.answer) && <Attribution {...place} />}
        <Says report={report} answer={answer.answer} />
        {/* The last part is followed by the hidden mark of the end. */}
        <Whole className="space-y-4 [&>:nth-last-child(2)]:mb-0">
          {await report.body({ answer: answer.answer, sheets: sheetsByKey(report, answer.answer), ...place })}
        </Whole>
      </>
    );
  return (
    <div className={isPanel(place) ? undefined : "card p-4"}>
      <RefusedNotice {...answer} />
    </div>
  );
}

/** Whether it is a panel of a member's dashboard. */
const isPanel = ({ onDashboard, isShared }: Place): boolean => onDashboard && !isShared;

/** Which visit gets conversions and revenue, as its reader may choose or only read it. The report's own page has the choice above. */
function Attribution(place: Place) {
  if (isPanel(place)) return <LazyAttributionChoice />;
  if (!place.isShared) return null;
  const attribution = place.query.attribution === "first" ? "first" : "last";
  return <p className="px-1 text-sm text-muted">{attributionSentence(attribution)}</p>;
}
