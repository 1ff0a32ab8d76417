import type { DimensionKey } from "@/lib/analytics/dimensions";
import { namedSource } from "@/lib/ingest/sources";
import { channelOf } from "@/lib/transfer/arrival";
import {
  columnsOf,
  type DailySum,
  dateOf,
  EVERYTHING,
  numberIn,
  numberOf,
  type Service,
} from "@/lib/transfer/daily-sums";
import { browserOf, deviceOf, systemOf } from "@/lib/transfer/machines";

/**
 * Plausible's CSV export: files imported_visitors, imported_pages and so on, each with a header of its own. Its columns are
 * those of its own import (https://plausible.io/docs/csv-import); durations are seconds, all visits together.
 */

type Of = (name: string) => string;

interface File {
  /** The column by which a file is known. */
  known: string;
  words(of: Of): [dimension: number, word: string][];
  /** What `visits` is called in it. */
  visits?: string;
}

const one = (key: DimensionKey, word: string): [number, string][] => [[numberIn(key), word]];

/** In the order in which they are tried: a column of one may stand in another. */
const FILES: readonly File[] = [
  { known: "entry_page", words: (of) => one("entry_page", of("entry_page")), visits: "entrances" },
  { known: "exit_page", words: (of) => one("exit_page", of("exit_page")), visits: "exits" },
  { known: "name", words: (of) => one("event", of("name")) },
  { known: "page", words: (of) => one("page", of("page")) },
  { known: "source", words: sourceWords },
  { known: "country", words: (of) => one("country", of("country")) },
  { known: "device", words: (of) => one("device", deviceOf(of("device"))) },
  { known: "browser", words: (of) => one("browser", browserOf(of("browser"))) },
  { known: "operating_system", words: (of) => one("os", systemOf(of("operating_system"))) },
  { known: "visitors", words: () => [[EVERYTHING, ""]] },
];

export const PLAUSIBLE: Service = {
  name: "plausible",
  reader(header) {
    const file =
      header.includes("date") && header.includes("visitors") && FILES.find(({ known }) => header.includes(known));
    if (!file) return null;
    const named = columnsOf(header);
    const read = (fields: readonly string[]) => {
      const of = named(fields);
      const sums = sumsOf(of, file);
      return file.words(of).map(([dimension, word]) => ({ ...sums, dimension, word }));
    };
    return { into: "given", read };
  },
};

function sumsOf(of: Of, { known, visits = "visits" }: File): Omit<DailySum, "dimension" | "word"> {
  const sum = (name: string) => Math.round(numberOf(of(name), name));
  return {
    day: dateOf(of("date")),
    visitors: sum("visitors"),
    visits: sum(visits),
    bounces: sum("bounces"),
    duration_ms: sum("visit_duration") * 1000,
    pageviews: sum("pageviews"),
    events: known === "name" ? sum("events") : 0,
  };
}

/** A row of sources tells its campaign too. */
function sourceWords(of: Of): [number, string][] {
  const source = of("source") === "Direct / None" ? "" : of("source");
  const known = namedSource(source);
  const tags = { utm_source: of("utm_source"), utm_medium: of("utm_medium"), utm_campaign: of("utm_campaign") };
  const hasReferrer = of("referrer") !== "" || (source !== "" && tags.utm_source === "");
  return [
    [numberIn("source"), known?.name ?? source],
    [numberIn("channel"), channelOf({ known, source, hasReferrer, ...tags })],
    ...(["utm_source", "utm_medium", "utm_campaign"] as const).map((key): [number, string] => [
      numberIn(key),
      tags[key],
    ]),
  ];
}
