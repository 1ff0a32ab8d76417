import { refusalSentence } from "@/components/reports/refusal-reasons";
import { Section } from "@/components/ui/section";
import { INTAKE_DAYS, type Intake } from "@/lib/sites/intake";

const OUTCOMES: Record<Intake["outcome"], { title: string; about: string }> = {
  stored: { title: "Stored", about: "Counted, each in its class of traffic" },
  duplicate: { title: "Repeated", about: "An event with the same id was there already" },
  filtered: { title: "Left out", about: "By the rules of this site" },
  refused: { title: "Refused", about: "Not accepted; the sender was told why" },
  scrubbed: { title: "Personal data replaced", about: "In addresses, titles and properties, before storing" },
};

/** What became of a site's events, in words and numbers. */
export function IntakeTable({ intake }: { intake: Intake[] }) {
  const parts = (Object.keys(OUTCOMES) as Intake["outcome"][]).map((outcome) => {
    const rows = intake.filter((row) => row.outcome === outcome);
    return { outcome, rows, hits: rows.reduce((sum, row) => sum + row.hits, 0) };
  });
  const shown = parts.filter(({ outcome, hits }) => outcome !== "scrubbed" || hits > 0);
  return (
    <Section
      title="What became of events"
      about={`The last ${INTAKE_DAYS} days. Events that name no site of ours are not in here.`}
    >
      {intake.length === 0 ? (
        <p className="text-sm text-muted">No event has arrived in this time.</p>
      ) : (
        <div className="-my-2.5 divide-y divide-line text-sm">
          {shown.map(({ outcome, rows, hits }) => (
            <dl key={outcome} className="py-2.5">
              <div className="flex items-baseline justify-between gap-4">
                <dt>
                  <span className="font-medium">{OUTCOMES[outcome].title}</span>{" "}
                  <span className="text-muted">{OUTCOMES[outcome].about}</span>
                </dt>
                <dd className="font-medium tabular-nums">{hits.toLocaleString("en")}</dd>
              </div>
              {rows
                .filter((row) => row.reason !== "")
                .map((row) => (
                  <div key={row.reason} className="mt-1 flex items-baseline justify-between gap-4 pl-4 text-muted">
                    <dt className="min-w-0 break-words">{refusalSentence(row.reason)}</dt>
                    <dd className="tabular-nums">{row.hits.toLocaleString("en")}</dd>
                  </div>
                ))}
            </dl>
          ))}
        </div>
      )}
    </Section>
  );
}
