import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import type { DailySum, Sums } from "@/lib/testing/oracle/imported";

/** Another service: what it counted, and the files of its export (https://plausible.io/docs/csv-import). */

interface File {
  name: string;
  key: DimensionKey | null;
  words: string[];
  /** The column of each number that the file has; durations are seconds. */
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
  { name: "imported_visitors", key: null, words: [""], columns: ALL },
  {
    name: "imported_pages",
    key: "page",
    words: ["/", "/a", "/of/old"],
    columns: { visitors: "visitors", visits: "visits", pageviews: "pageviews" },
  },
  {
    name: "imported_entry_pages",
    key: "entry_page",
    words: ["/", "/of/old"],
    columns: { visitors: "visitors", visits: "entrances", bounces: "bounces", durationMs: "visit_duration" },
  },
  {
    name: "imported_exit_pages",
    key: "exit_page",
    words: ["/a", "/left"],
    columns: { visitors: "visitors", visits: "exits" },
  },
  {
    name: "imported_custom_events",
    key: "event",
    words: ["Signup", "Old event"],
    columns: { visitors: "visitors", events: "events" },
  },
  { name: "imported_locations", key: "country", words: ["DE", "NZ"], columns: ALL },
  { name: "imported_browsers", key: "browser", words: ["Chrome", "Opera"], columns: ALL },
];

const COLUMN_OF: Partial<Record<DimensionKey, string>> = { event: "name" };

/** Numbers of some days. @param seed makes them different from world to world. */
export function daysOfService(dates: readonly string[], seed: number): DailySum[] {
  const sums = dates.flatMap((date, day) =>
    FILES.flatMap(({ key, words, columns }, file) =>
      words.map((word, place): DailySum => {
        const number = (name: keyof Sums, index: number) =>
          columns[name] ? 1 + ((seed + 31 * day + 17 * file + 7 * place + 5 * index) % 9) : 0;
        return {
          date,
          key,
          word,
          visitors: number("visitors", 0),
          visits: number("visits", 1),
          bounces: number("bounces", 2),
          durationMs: 1000 * number("durationMs", 3),
          pageviews: number("pageviews", 4),
          events: number("events", 5),
        };
      }),
    ),
  );
  // It names events only one by one: a day has as many as its names together.
  const named = (date: string) => sums.filter((sum) => sum.key === "event" && sum.date === date);
  return sums.map((sum) =>
    sum.key === null ? { ...sum, events: named(sum.date).reduce((all, { events }) => all + events, 0) } : sum,
  );
}

/** The files that tell these numbers. */
export const filesOf = (sums: readonly DailySum[]) =>
  FILES.map(({ name, key, columns }) => {
    const numbers = Object.entries(columns) as [keyof Sums, string][];
    const word = key === null ? [] : [COLUMN_OF[key] ?? key];
    const header = ["date", ...word, ...numbers.map(([, column]) => column)];
    const rows = sums
      .filter((sum) => sum.key === key)
      .map((sum) => [
        sum.date,
        ...(key === null ? [] : [sum.word]),
        ...numbers.map(([of]) => (of === "durationMs" ? sum[of] / 1000 : sum[of])),
      ]);
    return { name: `${name}.csv`, lines: linesOf([header, ...rows].map((row) => row.join(","))) };
  });

async function* linesOf(lines: readonly string[]) {
  for (const text of lines) yield { text };
}
