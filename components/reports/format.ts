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

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/**
 * The parts of a local label such as 2026-11-20T14:00. Written out by hand: server and browsers carry different
 * editions of Intl's words, and a page must not change when the browser takes over.
 */
function partsOf(label: string) {
  const [date = "", time = ""] = label.split("T");
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const name = MONTHS[month - 1] ?? "";
  const weekday = DAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  return { year, day: `${day} ${name.slice(0, 3)}`, date, number: day, month: name, weekday, time };
}

/** A bucket's name under the axis. */
export function bucketTick(label: string, interval: Interval, manyDays: boolean): string {
  const { day, month, year, time } = partsOf(label);
  if (interval === "month") return `${month.slice(0, 3)} ${year}`;
  if (interval === "week" || interval === "day") return day;
  return manyDays ? `${day}, ${time}` : time;
}

/** A bucket's name in full. */
export function bucketName(label: string, interval: Interval): string {
  const { day, month, year, weekday, time } = partsOf(label);
  if (interval === "month") return `${month} ${year}`;
  if (interval === "week") return `Week from ${day} ${year}`;
  return `${weekday} ${day} ${year}${time && `, ${time}`}`;
}

/** "14 – 20 Nov 2026" for local days. */
export function formatRange(from: string, to: string): string {
  const [a, b] = [partsOf(from), partsOf(to)];
  if (a.date === b.date) return `${b.day} ${b.year}`;
  if (a.year !== b.year) return `${a.day} ${a.year} – ${b.day} ${b.year}`;
  return `${a.month === b.month ? a.number : a.day} – ${b.day} ${b.year}`;
}
