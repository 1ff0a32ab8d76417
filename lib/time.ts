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

/** The moment a local day begins: midnight, or the first moment after it on days that have none. */
export const startOfDay = (day: Temporal.PlainDate, timezone: string): Date =>
  new Date(day.toZonedDateTime({ timeZone: timezone }).epochMilliseconds);

/** The local day of a moment. */
export const localDay = (at: Date, timezone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).toPlainDate();
