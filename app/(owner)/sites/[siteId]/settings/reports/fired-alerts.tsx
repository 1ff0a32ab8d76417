import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import type { Answer } from "@/lib/operations/index";

/** The latest alerts of a site. */
export const FiredAlerts = ({ alerts, now }: { alerts: Answer<"sites.alerts.list">["alerts"]; now: Date }) => (
  <Section title="Alerts" about="The latest first. Kept for a year.">
    <Rows empty="No alerts yet.">
      {alerts.map(({ rule_id, name, start, seen, fired_at }) => (
        <li key={`${rule_id}-${start}`} className="py-2.5 text-sm">
          <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
          <p className="[overflow-wrap:anywhere]">{seen}</p>
          <p className="text-muted">
            <When at={new Date(fired_at)} now={now} />
          </p>
        </li>
      ))}
    </Rows>
  </Section>
);
