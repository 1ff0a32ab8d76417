import { QUARTER, wall, weekday } from "@/lib/testing/oracle/clock";
import { isPresence } from "@/lib/testing/oracle/facts";
import { type Known, type Query, type Selection, select } from "@/lib/testing/oracle/query";

/** Expected answer of the heatmap: reads the local time at each quarter of an hour. */
export function heatmap(query: Query, known: Known): object {
  const { scope, before } = select(query, known);
  return { cells: weekOf(scope), comparison: before && weekOf(before) };
}

function weekOf({ visits, facts, range }: Selection): object[] {
  const { zone, start, end, now } = range;
  const hours = new Map<number, Set<string>>();
  for (let at = start; at < end && at <= now; at += QUARTER) {
    const { place, hour } = hourAt(at, zone);
    hours.set(place, (hours.get(place) ?? new Set()).add(hour));
  }
  const begun = visits.map(({ started }) => hourAt(started, zone));
  const present = facts.filter(isPresence).map(({ visitor, at }) => ({ visitor, ...hourAt(at, zone) }));
  return Array.from({ length: 168 }, (_, place) => {
    const those = present.filter((one) => one.place === place);
    return {
      weekday: Math.floor(place / 24) + 1,
      hour: place % 24,
      hours: hours.get(place)?.size ?? 0,
      visitors: new Set(those.map(({ visitor, hour }) => `${visitor} @ ${hour}`)).size,
      visits: begun.filter((one) => one.place === place).length,
    };
  });
}

/** Returns the hour of an instant and its place in the week. A repeated hour has another UTC offset. */
function hourAt(at: number, zone: string): { place: number; hour: string } {
  const shown = wall(at, zone);
  const offset = Date.parse(`${shown}Z`) - Math.floor(at / 1000) * 1000;
  return {
    place: weekday(shown.slice(0, 10)) * 24 + Number(shown.slice(11, 13)),
    hour: `${shown.slice(0, 13)} ${offset}`,
  };
}
