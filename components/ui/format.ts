import type { Interval } from "@/lib/contract/fields";
import { dateFormat, perLocale } from "@/lib/platform/locale";
import { t } from "@/lib/texts/translate";

/** Formats dates in the reader's locale. */

// Labels are local days and times without a timezone: they are parsed and formatted as if they were UTC.
export const dates = (options: Intl.DateTimeFormatOptions) =>
  perLocale((locale) => dateFormat(locale, { ...options, timeZone: "UTC" }));
const dayAndMonth = dates({ day: "numeric", month: "short" });
const fullDay = dates({ day: "numeric", month: "short", year: "numeric" });
const namedDay = dates({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
const shortMonth = dates({ month: "short", year: "numeric" });
const fullMonth = dates({ month: "long", year: "numeric" });
const timeOfDay = dates({ hour: "numeric", minute: "2-digit" });
const fullHour = dates({ hour: "numeric" });
const namedWeekday = dates({ weekday: "short" });

const hasTime = (label: string): boolean => label.includes("T");
const momentOf = (label: string): Date => new Date(hasTime(label) ? `${label}Z` : `${label}T00:00Z`);

/** Returns the axis label of a bucket. @param label local time such as 2026-11-20T14:00 */
export function bucketTick(label: string, interval: Interval, manyDays: boolean): string {
  const at = momentOf(label);
  if (interval === "month") return shortMonth().format(at);
  if (interval === "week" || interval === "day") return dayAndMonth().format(at);
  return manyDays ? `${dayAndMonth().format(at)}, ${timeOfDay().format(at)}` : timeOfDay().format(at);
}

/** Returns the full name of a bucket. */
export function bucketName(label: string, interval: Interval): string {
  const at = momentOf(label);
  if (interval === "month") return fullMonth().format(at);
  if (interval === "week") return t("Week of {date}", { date: fullDay().format(at) });
  return `${namedDay().format(at)}${hasTime(label) ? `, ${timeOfDay().format(at)}` : ""}`;
}

/** "Nov 20, 2026" for a local day. */
export const formatDate = (date: string): string => fullDay().format(momentOf(date));

/** "Nov 14 – 20, 2026" for local days. */
export const formatRange = (from: string, to: string): string => fullDay().formatRange(momentOf(from), momentOf(to));

/** "November 2026" for a local day. */
export const formatMonth = (date: string): string => fullMonth().format(momentOf(date));

/** "2 PM" for 14. */
export const formatHour = (hour: number): string => fullHour().format(Date.UTC(1970, 0, 1, hour));

/** "Mon" for 1, as in ISO 8601. */
export const formatWeekday = (weekday: number): string => namedWeekday().format(Date.UTC(1970, 0, 4 + weekday));
