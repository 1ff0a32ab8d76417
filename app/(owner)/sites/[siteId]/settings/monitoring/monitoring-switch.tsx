"use client";

import { useSwitch } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";
import { SITE_SETTINGS } from "@/lib/contract/site-settings";
import { t } from "@/lib/texts/translate";

const { label, hint } = SITE_SETTINGS.monitoring.enabled;

/** Turns the monitoring of a site on or off, without a save button. */
export function MonitoringSwitch({ siteId, on, mayChange }: { siteId: number; on: boolean; mayChange: boolean }) {
  const switchProps = useSwitch("sites.monitoring", on, (enabled) => ({ site_id: siteId, enabled }));
  return (
    <Section
      title={t("Monitoring")}
      about={mayChange ? undefined : t(hint)}
      badge={<Badge tone={on ? "good" : "plain"}>{on ? t("On") : t("Off")}</Badge>}
    >
      {mayChange ? (
        <Switch label={t(label)} hint={t(hint)} {...switchProps} />
      ) : (
        <p className="text-sm text-muted">{t("Only managers and owners can change this.")}</p>
      )}
    </Section>
  );
}
