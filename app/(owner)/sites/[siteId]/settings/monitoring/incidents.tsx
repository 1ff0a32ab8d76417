import { Badge } from "@/components/ui/badge";
import { Section } from "@/components/ui/section";
import { Moment, When } from "@/components/ui/when";
import { CAUSES } from "@/lib/monitoring/causes";
import type { Incident } from "@/lib/monitoring/incidents";

/** What went wrong, and what still does. */
export function Incidents({ incidents, on, now }: { incidents: Incident[]; on: boolean; now: Date }) {
  return (
    <Section title="Incidents" about="Those that go on, then the latest. They are kept for a year.">
      {incidents.length === 0 && (
        <p className="text-sm text-muted">
          {on ? "None so far." : "None. While monitoring is off, nothing is noticed."}
        </p>
      )}
      <ul className="divide-y divide-line not-empty:-my-2.5">
        {incidents.map(({ id, cause, startedAt, endedAt, seen, told }) => (
          <li key={id} className="py-2.5 text-sm">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
              {CAUSES[cause].label}
              {endedAt ? <Badge>Over</Badge> : <Badge tone="bad">Goes on</Badge>}
            </p>
            <p className="text-muted">
              {endedAt ? (
                <>
                  <Moment at={startedAt} /> to <Moment at={endedAt} />
                </>
              ) : (
                <>
                  Since <When at={startedAt} now={now} />
                </>
              )}
              {!told && "; nobody was told, as there were three of it in a day"}
            </p>
            <p className="[overflow-wrap:anywhere]">{seen}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
