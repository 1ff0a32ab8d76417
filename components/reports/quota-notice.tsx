import { formatDate, formatExactly, formatPercent } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import type { Quota } from "@/lib/sites/quota";

/** From this share on the owner is warned. */
const WARN_FROM = 0.8;

/** Warns when the events of the month run out, and says until when they are refused once they have. */
export function QuotaNotice({ quota }: { quota: Quota | null }) {
  if (!quota || quota.used < quota.events * WARN_FROM) return null;
  const most = formatExactly(quota.events);
  const until = renewal(quota);
  if (quota.used >= quota.events) {
    return (
      <Notice>
        This month&rsquo;s {most} events are used up: what comes now is refused and not counted, until {until}.
      </Notice>
    );
  }
  // Rounded down: 100 % would say that none are left.
  const used = formatPercent(Math.floor((quota.used / quota.events) * 100) / 100);
  return (
    <Notice tone="warn">
      {used} of this month&rsquo;s {most} events are used. Beyond them events are refused until {until}.
    </Notice>
  );
}

/** The day on which events are taken again, in words. */
export const renewal = ({ renewsAt }: Quota): string => `${formatDate(renewsAt.toISOString().slice(0, 10))} (UTC)`;
