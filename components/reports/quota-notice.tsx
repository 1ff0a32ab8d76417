import { formatDate } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import { TextLink } from "@/components/ui/text-link";
import { formatExactly, formatPercent } from "@/lib/contract/numbers";
import type { Quota } from "@/lib/ingest/site/limits";
import { t } from "@/lib/texts/translate";

/** Used share of the quota from which the owner is warned. */
const WARN_FROM = 0.8;

/** Warning when the monthly event quota is nearly or fully used. */
export function QuotaNotice({ quota, siteId }: { quota: Quota | null; siteId: number }) {
  if (!quota || quota.used < quota.events * WARN_FROM) return null;
  const most = formatExactly(quota.events);
  const until = renewal(quota);
  const wayOut = quota.unproven && <ProveDomain siteId={siteId} />;
  if (quota.used >= quota.events) {
    return (
      <Notice>
        {t("This month’s quota of {most} events is used up. New events are rejected until {until}.", { most, until })}{" "}
        {wayOut}
      </Notice>
    );
  }
  // Rounded down: 100 % would mean that none are left.
  const used = formatPercent(Math.floor((quota.used / quota.events) * 100) / 100);
  return (
    <Notice tone="warn">
      {t("{used} of this month’s {most} events are used. Events beyond the quota are rejected until {until}.", {
        used,
        most,
        until,
      })}{" "}
      {wayOut}
    </Notice>
  );
}

/** How the quota of a site without a proven domain ends. */
export function ProveDomain({ siteId }: { siteId: number }) {
  return rich("The quota ends when a domain of the site is proven: <link>Domains</link>.", {
    link: (text) => <TextLink href={`/sites/${siteId}/settings/domains`}>{text}</TextLink>,
  });
}

/** Returns the day when the quota renews, as display text. */
export const renewal = ({ renews_at }: Quota): string => `${formatDate(renews_at.slice(0, 10))} (UTC)`;
