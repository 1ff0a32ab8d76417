import { db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";

/**
 * Local days and hours are computed with the time zone rules of Node; Postgres only gets instants. Different rules in
 * Postgres change no number, but show that one of the two is out of date.
 */

const MINUTE_MS = 60_000;
const WEEK = 7 * 24 * 60;
const YEAR = 365 * 24 * 60;

/** The offset of a zone from UTC at an instant, both in minutes. */
interface Offset {
  at: number;
  offset: number;
}

/** Logs a warning that lists the time zones with different rules in Node and Postgres. */
export async function warnAboutZoneDifferences(now: Date): Promise<void> {
  const zones = await differingZones(now);
  if (zones.length === 0) return;
  log.warn(
    { zones, node_tzdata: process.versions.tz },
    "Node and Postgres have different rules for these time zones. Reports use the rules of Node; update the older of the two",
  );
}

/**
 * Returns the zones whose offsets differ between Node and Postgres at any time from two years ago to one year ahead.
 */
export async function differingZones(now: Date): Promise<string[]> {
  const offsets: (Offset & { zone: string })[] = [];
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    for (const one of offsetsOf(zone, now)) offsets.push({ zone, ...one });
    // Yields between zones: all of them take a second of CPU time.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const rows = await db().$queryRaw<{ zone: string }[]>`
    WITH known AS MATERIALIZED (SELECT name FROM pg_timezone_names)
    SELECT DISTINCT zone FROM unnest(${offsets.map(({ zone }) => zone)}::text[], ${offsets.map(({ at }) => at)}::int[],
      ${offsets.map(({ offset }) => offset)}::int[]) AS node(zone, at, "offset")
    JOIN known ON known.name = node.zone
    CROSS JOIN LATERAL (SELECT to_timestamp(node.at::float8 * 60) AS moment) AS one
    WHERE (moment AT TIME ZONE node.zone) - (moment AT TIME ZONE 'UTC') <> node."offset" * interval '1 minute'
    ORDER BY zone`;
  return rows.map(({ zone }) => zone);
}

/** Returns the offset of each week, and the offsets around every change: rules may differ for one hour of a year. */
function offsetsOf(zone: string, now: Date): Offset[] {
  const read = offsetReader(zone);
  const middle = Math.floor(now.getTime() / MINUTE_MS);
  const offsets: Offset[] = [];
  for (let at = middle - 2 * YEAR; at < middle + YEAR; at += WEEK) {
    const previous = offsets.at(-1);
    const next = { at, offset: read(at) };
    if (previous && previous.offset !== next.offset) offsets.push(...changeBetween(previous, next, read));
    offsets.push(next);
  }
  return offsets;
}

/** Returns the last minute of the old offset and the first of the new one. */
function changeBetween(before: Offset, after: Offset, read: (at: number) => number): Offset[] {
  let [last, first] = [before.at, after.at];
  while (first - last > 1) {
    const middle = Math.floor((first + last) / 2);
    if (read(middle) === before.offset) last = middle;
    else first = middle;
  }
  return [
    { at: last, offset: before.offset },
    { at: first, offset: read(first) },
  ];
}

/** Returns a function that reads the offset of a zone from `Intl`, such as `1/1/2026, GMT-03:30`. */
function offsetReader(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return (at) => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(at * MINUTE_MS)) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  };
}
