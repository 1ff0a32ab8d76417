import type { Interval } from "@/lib/contract/fields";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";

// One locale on server and browser, or the two would draw different text.
const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const oneDigit = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });

/** A metric's value for reading at a glance; `null` is unknown and is never shown as 0. */
export function formatMetric(metric: Metric, value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  switch (METRICS[metric].unit) {
    case "count":
      return formatCount(value);
    case "ratio":
      return oneDigit.format(value);
    case "fraction":
      return percent.format(value);
    case "seconds":
      return formatSeconds(value);
  }
}

/** Up to 9,999 in full, then 12.3K. */
export const formatCount = (count: number): string => (count < 10_000 ? whole : short).format(count);

/** Every digit. */
export const formatExactly = (count: number): string => whole.format(count);

export const formatShare = (fraction: number): string =>
  fraction > 0 && fraction < 0.01 ? "<1%" : percent.format(fraction);

export function formatSeconds(seconds: number): string {
  const total = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  if (hours > 0) return `${hours}h ${minutes}m`;
  return minutes > 0 ? `${minutes}m ${rest}s` : `${rest}s`;
}

/** Local labels have no zone of their own: read and shown as UTC, they come out as they went in. */
const local = (label: string) => new Date(label.length > 10 ? `${label}Z` : `${label}T00:00Z`);
const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
const day = formatter({ day: "numeric", month: "short" });
const dayAndYear = formatter({ day: "numeric", month: "short", year: "numeric" });
const longDay = formatter({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
const month = formatter({ month: "short", year: "numeric" });
const longMonth = formatter({ month: "long", year: "numeric" });
const clock = formatter({ hour: "2-digit", minute: "2-digit" });

/** A bucket's name under the axis. */
export function bucketTick(label: string, interval: Interval, manyDays: boolean): string {
  if (interval === "month") return month.format(local(label));
  if (interval === "week" || interval === "day") return day.format(local(label));
  return manyDays ? `${day.format(local(label))}, ${clock.format(local(label))}` : clock.format(local(label));
}

/** A bucket's name in full. */
export function bucketName(label: string, interval: Interval): string {
  if (interval === "month") return longMonth.format(local(label));
  if (interval === "week") return `Week from ${dayAndYear.format(local(label))}`;
  if (interval === "day") return longDay.format(local(label));
  return `${longDay.format(local(label))}, ${clock.format(local(label))}`;
}

/** "14–20 Nov 2026" for local days. */
export const formatRange = (from: string, to: string): string =>
  dayAndYear.formatRange(local(from), local(to)).replaceAll(" – ", " – ");
