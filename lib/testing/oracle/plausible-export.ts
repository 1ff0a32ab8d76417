import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import type { DailySum, Sums } from "@/lib/testing/oracle/imported";

/** Daily sums and export files of Plausible (https://plausible.io/docs/csv-import). */

interface File {
  name: string;
  key: DimensionKey | null;
  values: string[];
  /** The column of each number in the file; durations are in seconds. */
  columns: Partial<Record<keyof Sums, string>>;
}

const ALL = {
  visitors: "visitors",
  visits: "visits",
  bounces: "bounces",
  durationMs: "visit_duration",
  pageviews: "pageviews",
};

const FILES: readonly File[] = [
  { name: "imported_visitors", key: null, values: [""], columns: ALL },
  {
    name: "imported_pages",
    key: "page",
    values: ["/", "/a", "/of/old"],
    columns: { visitors: "visitors", visits: "visits", pageviews: "pageviews" },
  },
  {
    name: "imported_entry_pages",
    key: "entry_page",
    values: ["/", "/of/old"],
    columns: { visitors: "visitors", visits: "entrances", bounces: "bounces", durationMs: "visit_duration" },
  },
  {
    name: "imported_exit_pages",
    key: "exit_page",
    values: ["/a", "/left"],
    columns: { visitors: "visitors", visits: "exits" },
  },
  {
    name: "imported_custom_events",
    key: "event",
    values: ["Signup", "Old event"],
    columns: { visitors: "visitors", events: "events" },
  },
  { name: "imported_locations", key: "country", values: ["DE", "NZ"], columns: ALL },
  { name: "imported_browsers", key: "browser", values: ["Chrome", "Opera"], columns: ALL },
];

const COLUMN_OF: Partial<Record<DimensionKey, string>> = { event: "name" };

/** Returns sums of these days. @param seed varies them between worlds. */
export function daysOfService(dates: readonly string[], seed: number): DailySum[] {
  const sums = dates.flatMap((date, day) =>
    FILES.flatMap(({ key, values, columns }, file) =>
      values.map((value, place): DailySum => {
        const known = (index: number) => 1 + ((seed + 31 * day + 17 * file + 7 * place + 5 * index) % 9);
        const number = (name: keyof Sums, index: number) => (columns[name] ? known(index) : null);
        return {
          date,
          key,
          value,
          visitors: known(0),
          visits: number("visits", 1),
          bounces: number("bounces", 2),
          durationMs: columns.durationMs ? 1000 * known(3) : null,
          pageviews: number("pageviews", 4),
          events: number("events", 5),
        };
      }),
    ),
  );
  // The export has events by name only: the total of a day is their sum.
  const named = (date: string) => sums.filter((sum) => sum.key === "event" && sum.date === date);
  return sums.map((sum) =>
    sum.key === null ? { ...sum, events: named(sum.date).reduce((all, { events }) => all + (events ?? 0), 0) } : sum,
  );
}

/** Returns the export files with these sums. */
export const filesOf = (sums: readonly DailySum[]) =>
  FILES.map(({ name, key, columns }) => {
    const numbers = Object.entries(columns) as [keyof Sums, string][];
    const value = key === null ? [] : [COLUMN_OF[key] ?? key];
    const header = ["date", ...value, ...numbers.map(([, column]) => column)];
    const rows = sums
      .filter((sum) => sum.key === key)
      .map((sum) => [
        sum.date,
        ...(key === null ? [] : [sum.value]),
        ...numbers.map(([of]) => (of === "durationMs" ? (sum[of] ?? 0) / 1000 : sum[of])),
      ]);
    return { name: `${name}.csv`, lines: linesOf([header, ...rows].map((row) => row.join(","))) };
  });

async function* linesOf(lines: readonly string[]) {
  for (const text of lines) yield { text };
}
