import { refusalSentence } from "@/components/reports/refusal-reasons";
import { Section } from "@/components/ui/section";
import type { Answer } from "@/lib/operations/index";
import { msg, t } from "@/lib/texts/translate";
import { Count, CountGroup, Counts, dayCount } from "../counts";

type Outcomes = Answer<"sites.events.outcomes">;
type Outcome = Outcomes["outcomes"][number]["outcome"];

const OUTCOMES: Record<Outcome, { title: string; about: string }> = {
  stored: { title: msg("Stored"), about: msg("Counted by traffic class") },
  surplus: { title: msg("Further KB of large events"), about: msg("Each counts in the quota like an event") },
  duplicate: { title: msg("Duplicate"), about: msg("An event with the same id was already stored") },
  filtered: { title: msg("Excluded"), about: msg("By the rules of this site") },
  refused: { title: msg("Refused"), about: msg("Not accepted; the response says why") },
  scrubbed: { title: msg("Personal data replaced"), about: msg("In URLs, titles and properties, before storing") },
};

/** Counts of other things than events. */
const NO_EVENTS: ReadonlySet<Outcome> = new Set(["surplus", "scrubbed"]);

/** Number of events by outcome and reason, in a range of days that ends today. */
export function EventOutcomes({ from, to, outcomes }: Outcomes) {
  const counted = outcomes.map(({ days, ...row }) => ({
    ...row,
    today: days.find(({ day }) => day === to)?.events ?? 0,
  }));
  const parts = (Object.keys(OUTCOMES) as Outcome[]).map((outcome) => {
    const rows = counted.filter((row) => row.outcome === outcome);
    const sum = (of: "events" | "today") => rows.reduce((total, row) => total + row[of], 0);
    return { outcome, rows, events: sum("events"), today: sum("today") };
  });
  const shown = parts.filter(({ outcome, events }) => !NO_EVENTS.has(outcome) || events > 0);
  const days = dayCount({ from, to });
  return (
    <Section
      title={t("Event outcomes")}
      about={t("Today and in the last {days} days (UTC). Without events that name an unknown site.", { days })}
    >
      {outcomes.length === 0 ? (
        <p className="text-sm text-muted">{t("No events in this period.")}</p>
      ) : (
        <Counts caption={t("Events by outcome and reason")} days={days}>
          {shown.map(({ outcome, rows, events, today }) => (
            <CountGroup key={outcome}>
              <tr className="[&_td]:font-medium">
                <th scope="row" className="text-left font-normal">
                  <span className="font-medium">{t(OUTCOMES[outcome].title)}</span>{" "}
                  <span className="text-muted">{t(OUTCOMES[outcome].about)}</span>
                </th>
                <Count of={today} />
                <Count of={events} />
              </tr>
              {rows.map(({ reason, ...row }) =>
                reason === null ? null : (
                  <tr key={reason} className="text-muted">
                    <th scope="row" className="pt-1 pl-4 text-left font-normal [overflow-wrap:anywhere]">
                      {refusalSentence(reason)}
                    </th>
                    <Count of={row.today} />
                    <Count of={row.events} />
                  </tr>
                ),
              )}
            </CountGroup>
          ))}
        </Counts>
      )}
    </Section>
  );
}
