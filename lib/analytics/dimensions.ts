import { Prisma } from "@/lib/db";

/**
 * One row a dimension: how people call it, whether it is a property of the visit or of each event, and where its
 * words are. `fact` is the column of the fact that holds the dictionary's id.
 */
interface Dimension {
  label: string;
  level: "visit" | "event";
  fact: Prisma.Sql;
  dictionary: Prisma.Sql;
  word: Prisma.Sql;
}

const dimension = (label: string, level: Dimension["level"], fact: string, dictionary: string, word: string) => ({
  label,
  level,
  fact: Prisma.raw(fact),
  dictionary: Prisma.raw(`facts.${dictionary}`),
  word: Prisma.raw(word),
});

export const DIMENSIONS = {
  page: dimension("Page", "event", "page", "page", "path"),
  entry_page: dimension("Entry page", "visit", "entry_page", "page", "path"),
  exit_page: dimension("Exit page", "visit", "exit_page", "page", "path"),
  source: dimension("Source", "visit", "referrer", "referrer", "source"),
  channel: dimension("Channel", "visit", "referrer", "referrer", "channel"),
  country: dimension("Country", "visit", "place", "place", "country"),
  region: dimension("Region", "visit", "place", "place", "region"),
  city: dimension("City", "visit", "place", "place", "city"),
  device: dimension("Device", "visit", "agent", "agent", "device"),
  browser: dimension("Browser", "visit", "agent", "agent", "browser"),
  os: dimension("Operating system", "visit", "agent", "agent", "os"),
} as const satisfies Record<string, Dimension>;

export type DimensionKey = keyof typeof DIMENSIONS;
