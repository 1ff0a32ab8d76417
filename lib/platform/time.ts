import { Temporal } from "temporal-polyfill";

export { Temporal };

/**
 * Returns whether reports can use this time zone: an IANA name that `Intl` knows. POSIX zones such as `FOO+99` and
 * offsets such as `+02:00` are refused, because they have no rules for daylight saving time.
 */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the IANA spelling: `europe/berlin` becomes `Europe/Berlin`. Aliases of a zone are kept. */
export function canonicalTimezone(name: string): string {
  const resolved = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  return resolved.toLowerCase() === name.toLowerCase() ? resolved : name;
}

/** Returns the local date and time of an instant in a time zone. */
export const zoned = (at: Date, timezone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);

/**
 * Returns the instant at which a local day begins: midnight, or the first instant after it on days without midnight.
 */
export const startOfDay = (day: Temporal.PlainDate, timezone: string): Date =>
  new Date(day.toZonedDateTime({ timeZone: timezone }).epochMilliseconds);

/** Returns the local day of an instant. */
export function localDay(at: Date, timezone: string): Temporal.PlainDate {
  const known = lastDays.get(timezone);
  const moment = at.getTime();
  if (known && known.from <= moment && moment < known.until) return known.day;
  const day = zoned(at, timezone).toPlainDate();
  const [from, until] = [day, day.add({ days: 1 })].map((one) => startOfDay(one, timezone).getTime()) as [
    number,
    number,
  ];
  lastDays.set(timezone, { from, until, day });
  return day;
}

/** Returns the later of two days. */
export const laterOf = (one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate =>
  Temporal.PlainDate.compare(one, other) < 0 ? other : one;

/** The last result of `localDay` for each zone: ingest needs the current day for every event. */
const lastDays = new Map<string, { from: number; until: number; day: Temporal.PlainDate }>();

/** Returns the start of the month after `now`, in UTC. */
export const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
