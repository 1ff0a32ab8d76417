/**
 * Local time from `Intl`, with text and plain millisecond arithmetic only: independent of the time zone code of the
 * product. Dates are text such as `2025-03-30`, instants are epoch milliseconds.
 */

export const MINUTE = 60_000;
/** Hours begin and clocks change at a quarter of an hour. */
export const QUARTER = 15 * MINUTE;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns the local time, such as `2025-03-30T03:00:00`. */
export function wall(at: number, zone: string): string {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      hourCycle: "h23",
      dateStyle: "short",
      timeStyle: "medium",
    });
    clocks.set(zone, clock);
  }
  return clock.format(at).replace(" ", "T");
}

export const dateAt = (at: number, zone: string): string => wall(at, zone).slice(0, 10);

const offsetAt = (at: number, zone: string): number => Date.parse(`${wall(at, zone)}Z`) - Math.floor(at / 1000) * 1000;

const midnights = new Map<string, number>();

/** Returns the first instant of a local date, or of the next date when the date does not exist. */
export function midnight(date: string, zone: string): number {
  const key = `${date} ${zone}`;
  const known = midnights.get(key);
  if (known !== undefined) return known;
  const noon = Date.parse(`${date}T00:00:00Z`);
  let [before, after] = [noon - 30 * HOUR, noon + 30 * HOUR];
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000;
    if (dateAt(middle, zone) >= date) after = middle;
    else before = middle;
  }
  midnights.set(key, after);
  return after;
}

/**
 * Returns the instant of a local time: the earlier of two, and shifted by the length of the gap when it does not exist.
 */
export function momentOf(shown: string, zone: string): number {
  const asUtc = Date.parse(`${shown}Z`);
  const [before, after] = [asUtc - offsetAt(asUtc - DAY, zone), asUtc - offsetAt(asUtc + DAY, zone)];
  const seconds = shown.slice(0, 19);
  const fitting = [before, after].filter((at) => wall(at, zone) === seconds);
  return fitting.length > 0 ? Math.min(...fitting) : before;
}

export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** Returns the same day of another month, or the last day of a shorter month. */
export function plusMonths(date: string, months: number): string {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
}

/** Returns the number of days from one date to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY;

/** Returns the weekday, 0 for Monday. */
export const weekday = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;

/** Returns the clock changes of a zone in a range, to the minute. */
export function clockChanges(zone: string, from: number, to: number): number[] {
  const changes: number[] = [];
  for (let at = from; at < to; at += DAY) {
    if (offsetAt(at, zone) === offsetAt(at + DAY, zone)) continue;
    let [before, after] = [at, at + DAY];
    while (after - before > MINUTE) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
      if (offsetAt(middle, zone) === offsetAt(at, zone)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}
