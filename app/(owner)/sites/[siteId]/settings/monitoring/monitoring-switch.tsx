"use client";

import { Badge } from "@/components/ui/badge";
import { Section } from "@/components/ui/section";
import { SITE_SETTINGS } from "@/lib/contract/site-settings";
import { t } from "@/lib/texts/translate";
import { SettingSwitches } from "../setting-controls";

/** Turns the monitoring of a site on or off, without a save button. */
export function MonitoringSwitch({ siteId, on, mayChange }: { siteId: number; on: boolean; mayChange: boolean }) {
  return (
    <Section
      title={t("Monitoring")}
      about={mayChange ? undefined : t(SITE_SETTINGS.monitoring.enabled.hint)}
      badge={<Badge tone={on ? "good" : "plain"}>{on ? t("On") : t("Off")}</Badge>}
    >
      {mayChange ? (
        <SettingSwitches group="monitoring" values={{ enabled: on }} siteId={siteId} action="sites.monitoring" />
      ) : (
        <p className="text-sm text-muted">{t("Only managers and owners can change this.")}</p>
      )}
    </Section>
  );
}
