import { Temporal } from "temporal-polyfill";

export { Temporal };

/**
 * Whether reports can use this zone: an IANA name that `Intl` knows. POSIX forms such as `FOO+99` and bare
 * offsets such as `+02:00` are refused: they have no daylight saving to be right about.
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

/** The spelling IANA uses: `europe/berlin` becomes `Europe/Berlin`. Another name of a zone stays what its owner calls it. */
export function canonicalTimezone(name: string): string {
  const resolved = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  return resolved.toLowerCase() === name.toLowerCase() ? resolved : name;
}

/** A moment on the wall clock of a zone. */
export const zoned = (at: Date, timezone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);

/** The moment a local day begins: midnight, or the first moment after it on days that have none. */
export const startOfDay = (day: Temporal.PlainDate, timezone: string): Date =>
  new Date(day.toZonedDateTime({ timeZone: timezone }).epochMilliseconds);

/** The local day of a moment. */
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

/** The later of two days. */
export const laterOf = (one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate =>
  Temporal.PlainDate.compare(one, other) < 0 ? other : one;

/** The day that was asked for last in each zone: ingest asks for today all day long. */
const lastDays = new Map<string, { from: number; until: number; day: Temporal.PlainDate }>();

/** The first moment of the month after `now`, in UTC. */
export const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
