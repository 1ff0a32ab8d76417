import { Badge } from "@/components/ui/badge";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { Moment, When } from "@/components/ui/when";
import { CAUSES } from "@/lib/monitoring/causes";
import type { Incident } from "@/lib/monitoring/incidents";

/** Open and past incidents of a site. */
export function Incidents({ incidents, on, now }: { incidents: Incident[]; on: boolean; now: Date }) {
  return (
    <Section title="Incidents" about="Open incidents first, then the latest. Kept for a year.">
      <Rows empty={on ? "No incidents." : "No incidents. Monitoring is off."}>
        {incidents.map(({ id, cause, startedAt, endedAt, seen, notified }) => (
          <li key={id} className="py-2.5 text-sm">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
              {CAUSES[cause].label}
              {endedAt ? <Badge>Resolved</Badge> : <Badge tone="bad">Open</Badge>}
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
              {!notified && "; no email, because of the limit of three per cause and day"}
            </p>
            <p className="[overflow-wrap:anywhere]">{seen}</p>
          </li>
        ))}
      </Rows>
    </Section>
  );
}
