import type { Interval } from "@/lib/contract/fields";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";

// Written out by hand as Intl would write it in English: on a phone its formatters take a tenth of a second to be made.
const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ",");
const whole = (number: number): string => grouped(`${Math.round(number)}`);

function oneDigit(number: number): string {
  const tenths = Math.round(number * 10);
  return `${tenths < 0 ? "-" : ""}${whole(Math.trunc(Math.abs(tenths) / 10))}.${Math.abs(tenths) % 10}`;
}

/** At most one digit behind the point, of thousands or what is larger. */
function short(count: number): string {
  let [tenths, unit] = [Math.round(count / 100), 0];
  // What is rounded up to a thousand is one of the next unit.
  for (; tenths >= 10_000 && unit < UNITS.length - 1; unit++) tenths = Math.round(count / 100 / 1000 ** (unit + 1));
  return `${whole(Math.trunc(tenths / 10))}${tenths % 10 === 0 ? "" : `.${tenths % 10}`}${UNITS[unit]}`;
}

const UNITS = ["K", "M", "B", "T"] as const;

/** A metric's value for reading at a glance; `null` is unknown and is never shown as 0. */
export function formatMetric(metric: Metric, value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  switch (METRICS[metric].unit) {
    case "count":
      return formatCount(value);
    case "ratio":
      return oneDigit(value);
    case "fraction":
      return formatPercent(value);
    case "seconds":
      return formatSeconds(value);
  }
}

/** Up to 9,999 in full, then 12.3K. */
export const formatCount = (count: number): string => (count < 10_000 ? whole : short)(count);

/** Every digit. */
export const formatExactly = (count: number): string => whole(count);

/** Without digits behind the point. */
export const formatPercent = (fraction: number): string => `${whole(fraction * 100)}%`;

export const formatShare = (fraction: number): string =>
  fraction > 0 && fraction < 0.01 ? "<1%" : formatPercent(fraction);

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

/** "20 Nov 2026" for a local day. */
export function formatDate(date: string): string {
  const { day, year } = partsOf(date);
  return `${day} ${year}`;
}

/** "14 – 20 Nov 2026" for local days. */
export function formatRange(from: string, to: string): string {
  const [a, b] = [partsOf(from), partsOf(to)];
  if (a.date === b.date) return `${b.day} ${b.year}`;
  if (a.year !== b.year) return `${a.day} ${a.year} – ${b.day} ${b.year}`;
  return `${a.month === b.month ? a.number : a.day} – ${b.day} ${b.year}`;
}
