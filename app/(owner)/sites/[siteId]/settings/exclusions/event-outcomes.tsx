import { refusalSentence } from "@/components/reports/refusal-reasons";
import { Section } from "@/components/ui/section";
import { formatExactly } from "@/lib/contract/numbers";
import type { IngestStats } from "@/lib/ingest/store/stats/ingest-stats-counts";
import { INGEST_STATS_DAYS } from "@/lib/sites/ingest-stats";

const OUTCOMES: Record<IngestStats["outcome"], { title: string; about: string }> = {
  stored: { title: "Stored", about: "Counted by traffic class" },
  surplus: { title: "Further KB of large events", about: "Each counts in the quota like an event" },
  duplicate: { title: "Duplicate", about: "An event with the same id was already stored" },
  filtered: { title: "Excluded", about: "By the rules of this site" },
  refused: { title: "Refused", about: "Not accepted; the response says why" },
  scrubbed: { title: "Personal data replaced", about: "In URLs, titles and properties, before storing" },
};

/** Counts of other things than events. */
const NO_EVENTS: ReadonlySet<IngestStats["outcome"]> = new Set(["surplus", "scrubbed"]);

/** Number of events by outcome and reason. */
export function EventOutcomes({ intake }: { intake: IngestStats[] }) {
  const parts = (Object.keys(OUTCOMES) as IngestStats["outcome"][]).map((outcome) => {
    const rows = intake.filter((row) => row.outcome === outcome);
    const sum = (of: "hits" | "today") => rows.reduce((total, row) => total + row[of], 0);
    return { outcome, rows, hits: sum("hits"), today: sum("today") };
  });
  const shown = parts.filter(({ outcome, hits }) => !NO_EVENTS.has(outcome) || hits > 0);
  return (
    <Section
      title="Event outcomes"
      about={`Today and in the last ${INGEST_STATS_DAYS} days (UTC). Without events that name an unknown site.`}
    >
      {intake.length === 0 ? (
        <p className="text-sm text-muted">No events in this period.</p>
      ) : (
        <table className="-my-2.5 w-full text-sm">
          <caption className="sr-only">Events by outcome and reason</caption>
          <thead>
            <tr className="text-muted">
              <td />
              <th scope="col" className="pl-4 text-right font-normal">
                Today
              </th>
              <th scope="col" className="pl-4 text-right font-normal whitespace-nowrap">
                {INGEST_STATS_DAYS} days
              </th>
            </tr>
          </thead>
          {shown.map(({ outcome, rows, hits, today }) => (
            <tbody
              key={outcome}
              className="border-line not-last:border-b [&_tr:first-child>*]:pt-2.5 [&_tr:last-child>*]:pb-2.5"
            >
              <tr className="[&_td]:font-medium">
                <th scope="row" className="text-left font-normal">
                  <span className="font-medium">{OUTCOMES[outcome].title}</span>{" "}
                  <span className="text-muted">{OUTCOMES[outcome].about}</span>
                </th>
                <Count of={today} />
                <Count of={hits} />
              </tr>
              {rows
                .filter((row) => row.reason !== "")
                .map((row) => (
                  <tr key={row.reason} className="text-muted">
                    <th scope="row" className="pt-1 pl-4 text-left font-normal [overflow-wrap:anywhere]">
                      {refusalSentence(row.reason)}
                    </th>
                    <Count of={row.today} />
                    <Count of={row.hits} />
                  </tr>
                ))}
            </tbody>
          ))}
        </table>
      )}
    </Section>
  );
}

function Count({ of }: { of: number }) {
  return <td className="pt-1 pl-4 text-right align-top tabular-nums">{formatExactly(of)}</td>;
}
