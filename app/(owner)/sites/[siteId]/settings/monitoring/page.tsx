import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { When } from "@/components/ui/when";
import { manages } from "@/lib/contract/access";
import sitesMembersList from "@/lib/operations/sites.members.list";
import sitesMonitoringGet from "@/lib/operations/sites.monitoring.get";
import sitesWebhooksGet from "@/lib/operations/sites.webhooks.get";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { Checks } from "./checks";
import { EmailAlerts } from "./email-alerts";
import { Incidents } from "./incidents";
import { MonitoringSwitch } from "./monitoring-switch";
import { Webhook } from "./webhook";

export const generateMetadata = (): Metadata => ({ title: t("Monitoring") });

export default async function MonitoringPage(props: SettingsProps) {
  const { owner, site } = await openSettings("monitoring", props);
  const now = new Date();
  const mayChange = manages(site.role);
  const input = { site_id: site.site_id };
  const [{ checks, incidents }, { members }, hooked] = await Promise.all([
    query(sitesMonitoringGet, owner, input, now),
    query(sitesMembersList, owner, input, now),
    mayChange ? query(sitesWebhooksGet, owner, input, now) : null,
  ]);
  const recipients = members.filter(({ alerts }) => alerts);
  const webhook = hooked?.webhook;
  return (
    <SettingsFrame site={site} page="monitoring">
      <MonitoringSwitch siteId={site.site_id} on={site.monitoring} mayChange={mayChange} />
      <Checks checks={checks} open={incidents.filter(({ ended_at }) => !ended_at)} timezone={site.timezone} now={now} />
      <Incidents incidents={incidents} on={site.monitoring} now={now} />
      <EmailAlerts
        siteId={site.site_id}
        mine={recipients.some(({ person_id }) => person_id === owner.personId)}
        others={recipients.filter(({ person_id }) => person_id !== owner.personId).map(({ email }) => email)}
      />
      {mayChange && (
        <Webhook
          siteId={site.site_id}
          url={webhook?.url ?? null}
          previousEnds={
            webhook?.previous_secret_valid_until && (
              <When at={new Date(webhook.previous_secret_valid_until)} now={now} />
            )
          }
          deliveries={(webhook?.deliveries ?? []).map(({ delivery_id, type, outcome, ...at }) => ({
            id: delivery_id,
            type,
            outcome,
            made: <When at={new Date(at.created_at)} now={now} />,
            delivered: at.delivered_at !== null,
            next: at.next_attempt_at && <When at={new Date(at.next_attempt_at)} now={now} />,
          }))}
        />
      )}
    </SettingsFrame>
  );
}
