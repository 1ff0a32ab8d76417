import type { Metadata } from "next";
import { When } from "@/components/ui/when";
import { manages } from "@/lib/contract/vocabulary";
import { listIncidents } from "@/lib/monitoring/incidents";
import { readMonitorStatus } from "@/lib/monitoring/monitor";
import { alertRecipients } from "@/lib/monitoring/notices";
import { readWebhook } from "@/lib/monitoring/webhooks";
import { db } from "@/lib/platform/db";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { Checks } from "./checks";
import { EmailAlerts } from "./email-alerts";
import { Incidents } from "./incidents";
import { MonitoringSwitch } from "./monitoring-switch";
import { Webhook } from "./webhook";

export const metadata: Metadata = { title: "Monitoring" };

export default async function MonitoringPage(props: SettingsProps) {
  const { owner, site } = await openSettings("monitoring", props);
  const now = new Date();
  const mayChange = manages(site.role);
  const [watch, incidents, recipients, webhook] = await Promise.all([
    readMonitorStatus(site.site_id),
    listIncidents(site.site_id),
    alertRecipients(db(), site.site_id),
    mayChange ? readWebhook(site.site_id, now) : null,
  ]);
  return (
    <SettingsFrame site={site} page="monitoring">
      <MonitoringSwitch siteId={site.site_id} on={site.monitoring} mayChange={mayChange} />
      <Checks watch={watch} open={incidents.filter(({ endedAt }) => !endedAt)} timezone={site.timezone} now={now} />
      <Incidents incidents={incidents} on={site.monitoring} now={now} />
      <EmailAlerts
        siteId={site.site_id}
        mine={recipients.some(({ id }) => id === owner.personId)}
        others={recipients.filter(({ id }) => id !== owner.personId).map(({ email }) => email)}
      />
      {mayChange && (
        <Webhook
          siteId={site.site_id}
          url={webhook?.url ?? null}
          previousEnds={webhook?.previousUntil && <When at={webhook.previousUntil} now={now} />}
          deliveries={(webhook?.deliveries ?? []).map(({ id, type, createdAt, outcome, deliveredAt, sendAfter }) => ({
            id,
            type,
            made: <When at={createdAt} now={now} />,
            outcome,
            delivered: deliveredAt !== null,
            next: sendAfter && <When at={sendAfter} now={now} />,
          }))}
        />
      )}
    </SettingsFrame>
  );
}
