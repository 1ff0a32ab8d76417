"use client";

import { useSyncExternalStore } from "react";
import { formatRelative } from "@/components/ui/relative-time";
import { rich } from "@/components/ui/rich";
import { DAY_MS, MINUTE_MS } from "@/lib/platform/durations";
import { currentLocale, dateFormat } from "@/lib/platform/locale";
import { t } from "@/lib/texts/translate";

/** Returns the reader's timezone; UTC until hydration. */
const useZone = (): string =>
  useSyncExternalStore(
    () => () => {},
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => "UTC",
  );

/** Returns "Nov 20, 2026, 4:04 PM GMT+1" in the reader's locale. */
const formatMoment = (at: Date, timeZone: string, style: "minutes" | "seconds"): string =>
  dateFormat(currentLocale(), {
    timeZone,
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    ...(style === "seconds" && { second: "2-digit" }),
    timeZoneName: "short",
  }).format(at);

/** Returns a function that formats a date and time as `Moment` shows it, for labels. */
export function useMoment(): (at: Date) => string {
  const zone = useZone();
  return (at) => formatMoment(at, zone, "minutes");
}

/** A date and time in the reader's timezone, with the timezone's name. */
export const Moment = ({ at, seconds = false }: { at: Date; seconds?: boolean }) => {
  const zone = useZone();
  return (
    <time dateTime={at.toISOString()} title={zone} className="tabular-nums">
      {formatMoment(at, zone, seconds ? "seconds" : "minutes")}
    </time>
  );
};

/** A relative time ("2 hours ago"), or the date if it is more than a week away. The tooltip has the exact time. */
export function When({ at, now }: { at: Date; now: Date }) {
  const zone = useZone();
  const ms = at.getTime() - now.getTime();
  if (Math.abs(ms) > 7 * DAY_MS) {
    return <>{ms > 0 ? rich("on {date}", { date: <Moment at={at} /> }) : <Moment at={at} />}</>;
  }
  return (
    <time dateTime={at.toISOString()} title={`${formatMoment(at, zone, "seconds")} (${zone})`}>
      {-MINUTE_MS < ms && ms <= 0 ? t("just now") : formatRelative(ms)}
    </time>
  );
}
