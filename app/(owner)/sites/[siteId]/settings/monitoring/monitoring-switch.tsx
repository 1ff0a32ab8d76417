"use client";

import { useSwitch } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";

const HINT =
  "The page is looked at every five minutes, from outside. What the site counts is held against its own last four weeks.";

/** Switches the monitoring of a site, at once. */
export function MonitoringSwitch({ siteId, on, mayChange }: { siteId: number; on: boolean; mayChange: boolean }) {
  const switchProps = useSwitch("sites.monitoring", on, (enabled) => ({ site_id: siteId, enabled }));
  return (
    <Section
      title="Monitoring"
      about={mayChange ? undefined : HINT}
      badge={<Badge tone={on ? "good" : "plain"}>{on ? "On" : "Off"}</Badge>}
    >
      {mayChange ? (
        <Switch label="Watch this site" hint={HINT} {...switchProps} />
      ) : (
        <p className="text-sm text-muted">Managers and owners switch it.</p>
      )}
    </Section>
  );
}
