import { dateAt, MINUTE, wall, weekday } from "@/lib/testing/oracle/clock";
import { type Known, type Query, type Selection, select } from "@/lib/testing/oracle/query";

/** Expected answer of the heatmap: reads the local time minute by minute. */
export function heatmap(query: Query, known: Known): object {
  const { scope, before } = select(query, known);
  return { cells: weekOf(scope), comparison: before && weekOf(before) };
}

function weekOf({ visits, range }: Selection): object[] {
  const { zone, start, end, now } = range;
  // A repeated hour has the same local time with another UTC offset.
  const hourAt = (at: number) =>
    `${wall(at, zone).slice(0, 13)} ${Date.parse(`${wall(at, zone)}Z`) - Math.floor(at / 1000) * 1000}`;
  const placeAt = (at: number) => weekday(dateAt(at, zone)) * 24 + Number(wall(at, zone).slice(11, 13));
  const hours = new Map<number, Set<string>>();
  for (let at = start; at < end && at <= now; at += MINUTE) {
    const place = placeAt(at);
    hours.set(place, (hours.get(place) ?? new Set()).add(hourAt(at)));
  }
  return Array.from({ length: 168 }, (_, place) => {
    const those = visits.filter(({ started }) => placeAt(started) === place);
    return {
      weekday: Math.floor(place / 24) + 1,
      hour: place % 24,
      hours: hours.get(place)?.size ?? 0,
      visitors: new Set(those.map(({ visitor, started }) => `${visitor} @ ${hourAt(started)}`)).size,
      visits: those.length,
    };
  });
}
