import { Badge } from "@/components/ui/badge";
import { rich } from "@/components/ui/rich";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { Moment, When } from "@/components/ui/when";
import { seenInWords } from "@/lib/contract/seen-words";
import { CAUSES } from "@/lib/monitoring/causes";
import type { Answer } from "@/lib/operations/index";
import { t } from "@/lib/texts/translate";

interface Props {
  incidents: Answer<"sites.monitoring.get">["incidents"];
  /** Whether monitoring is on. */
  on: boolean;
  now: Date;
}

/** Open and past incidents of a site. */
export function Incidents({ incidents, on, now }: Props) {
  return (
    <Section title={t("Incidents")} about={t("Open incidents first, then the latest. Kept for a year.")}>
      <Rows empty={on ? t("No incidents.") : t("No incidents. Monitoring is off.")}>
        {incidents.map(({ incident_id, cause, started_at, ended_at, seen, notified }) => (
          <li key={incident_id} className="py-2.5 text-sm">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
              {t(CAUSES[cause].label)}
              <Badge tone={ended_at ? "plain" : "bad"}>
                {t("{state, select, open {Open} other {Resolved}}", { state: ended_at ? "ended" : "open" })}
              </Badge>
            </p>
            <p className="text-muted">
              {ended_at
                ? rich("{from} to {to}", {
                    from: <Moment at={new Date(started_at)} />,
                    to: <Moment at={new Date(ended_at)} />,
                  })
                : rich("Since {when}", { when: <When at={new Date(started_at)} now={now} /> })}
              {!notified && t("; no email, because of the limit of three per cause and day")}
            </p>
            <p className="[overflow-wrap:anywhere]">{seenInWords(seen)}</p>
          </li>
        ))}
      </Rows>
    </Section>
  );
}
