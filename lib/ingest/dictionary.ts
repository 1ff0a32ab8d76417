import { LRUCache } from "lru-cache";
import { ingestPool } from "@/lib/db";
import { processWide } from "@/lib/process-wide";

/**
 * The dictionaries: their columns, how many new values one site may add a day, and what stands for the rest.
 * `extra` columns are kept from the first time a value is seen and do not tell values apart.
 */
const TABLES = {
  page: { columns: ["hostname", "path"], extra: ["title"], newPerDay: 20_000 },
  referrer: { columns: ["source", "channel", "url", "rule"], extra: [], newPerDay: 5_000 },
  campaign: { columns: ["source", "medium", "campaign", "term", "content"], extra: [], newPerDay: 2_000 },
  place: { columns: ["country", "region", "city", "language"], extra: [], newPerDay: 5_000 },
  agent: {
    columns: ["browser", "browser_version", "os", "os_version", "device", "screen", "bot"],
    extra: [],
    newPerDay: 2_000,
  },
  name: { columns: ["name"], extra: [], newPerDay: 1_000 },
  verdict: {
    columns: ["traffic", "reason", "bot", "operator", "purpose", "verified", "version"],
    extra: [],
    newPerDay: 1_000,
  },
} as const;
export type DictionaryName = keyof typeof TABLES;
export const DICTIONARIES = Object.keys(TABLES) as DictionaryName[];

/** What a value beyond the daily cap is stored as. */
export const OTHER = "(other)";

export interface Word {
  siteId: number;
  /** The local day, as `since` of a new value; only asked for those. */
  day(): string;
  values: readonly string[];
  extra?: readonly (string | null)[];
}

interface Shelf {
  ids: LRUCache<string, number>;
  /** What stands for words beyond a day's cap, by that day: tomorrow they have a place again. */
  others: LRUCache<string, number>;
  /** New values by site and day, as far as this process has counted. */
  fresh: LRUCache<string, number>;
}

const shelves = processWide("dictionaries", () => {
  const shelf = (): Shelf => ({
    ids: new LRUCache({ max: 50_000 }),
    others: new LRUCache({ max: 10_000 }),
    fresh: new LRUCache({ max: 5_000 }),
  });
  return Object.fromEntries(DICTIONARIES.map((name) => [name, shelf()])) as Record<DictionaryName, Shelf>;
});

/** U+0000 is the one character that no stored text holds, so that no two words share a key. */
export const keyOf = (word: Pick<Word, "siteId" | "values">): string => `${word.siteId}\0${word.values.join("\0")}`;

/**
 * The ids of words, in their order; new words are added. Committed by itself, before the facts that use it, so that
 * a remembered id is always a real one.
 */
export async function intern(name: DictionaryName, words: readonly Word[]): Promise<number[]> {
  const { ids, others } = shelves[name];
  const keys = words.map(keyOf);
  const known = keys.map((key, index) => ids.get(key) ?? others.get(onDay(words[index] as Word, key)));
  const unknown = new Map<string, Word>();
  // The first of several words of one key is learnt: its title is the one that was seen first.
  for (const [index, id] of known.entries()) {
    const key = keys[index] as string;
    if (id === undefined && !unknown.has(key)) unknown.set(key, words[index] as Word);
  }
  if (unknown.size === 0) return known as number[];
  const overflow = await learn(name, unknown);
  return keys.map((key, index) => {
    const other = overflow.get(key);
    const id = known[index] ?? ids.get(other ? keyOf(other) : key);
    if (id === undefined) throw new Error(`facts.${name} did not return a word's id`);
    if (other) others.set(onDay(words[index] as Word, key), id);
    return id;
  });
}

const onDay = (word: Word, key: string) => `${word.day()}\0${key}`;

const NO_OVERFLOW: ReadonlyMap<string, Word> = new Map();

/** @returns what stands for each word beyond the day's cap. */
async function learn(name: DictionaryName, unknown: Map<string, Word>): Promise<ReadonlyMap<string, Word>> {
  await find(name, unknown);
  if (unknown.size === 0) return NO_OVERFLOW;
  const overflow = await capNewWords(name, unknown);
  await insert(name, [...unknown.values()]);
  // What another process added in the same moment is found now.
  await find(name, unknown);
  return overflow;
}

/** The parameters of a list of words, as `unnest` takes them: site, day, then a text array a column. */
function unnested(name: DictionaryName, words: Word[]) {
  const { columns, extra } = TABLES[name];
  const types = ["int[]", "date[]", ...columns.map(() => "text[]"), ...extra.map(() => "text[]")];
  return {
    sql: `unnest(${types.map((type, i) => `$${i + 1}::${type}`).join(", ")}) AS asked(site_id, since, ${[...columns, ...extra].join(", ")})`,
    values: [
      words.map((word) => word.siteId),
      words.map((word) => word.day()),
      ...columns.map((_, i) => words.map((word) => word.values[i])),
      ...extra.map((_, i) => words.map((word) => word.extra?.[i] ?? null)),
    ],
  };
}

/** Remembers the ids of those words that exist, and takes them out of `unknown`. */
async function find(name: DictionaryName, unknown: Map<string, Word>): Promise<void> {
  const { columns } = TABLES[name];
  const asked = unnested(name, [...unknown.values()]);
  const found = await ingestPool().query({
    text: `SELECT word.id, word.site_id, ${columns.map((column) => `word.${column}`).join(", ")}
           FROM facts.${name} AS word JOIN ${asked.sql} USING (site_id, ${columns.join(", ")})`,
    values: asked.values,
  });
  for (const row of found.rows) {
    const key = keyOf({ siteId: row.site_id, values: columns.map((column) => row[column]) });
    shelves[name].ids.set(key, row.id);
    unknown.delete(key);
  }
}

async function insert(name: DictionaryName, words: Word[]): Promise<void> {
  const { columns, extra } = TABLES[name];
  const asked = unnested(name, words);
  const list = ["site_id", "since", ...columns, ...extra].join(", ");
  await ingestPool().query({
    text: `INSERT INTO facts.${name} (${list}) SELECT ${list} FROM ${asked.sql} ORDER BY site_id, ${columns.join(", ")} ON CONFLICT DO NOTHING`,
    values: asked.values,
  });
}

/**
 * Takes the words beyond the day's cap out of `unknown` and puts `(other)` in their place, so that random paths
 * cannot grow a dictionary without end.
 *
 * @returns what stands for each word that was taken out.
 */
async function capNewWords(name: DictionaryName, unknown: Map<string, Word>): Promise<Map<string, Word>> {
  const { columns, newPerDay } = TABLES[name];
  const overflow = new Map<string, Word>();
  for (const [key, word] of [...unknown]) {
    const count = (await countFresh(name, word)) + 1;
    if (count <= newPerDay) {
      shelves[name].fresh.set(`${word.siteId}\n${word.day()}`, count);
      continue;
    }
    const other = { siteId: word.siteId, day: () => word.day(), values: columns.map(() => OTHER) };
    overflow.set(key, other);
    unknown.delete(key);
    unknown.set(keyOf(other), other);
  }
  return overflow;
}

async function countFresh(name: DictionaryName, word: Word): Promise<number> {
  const known = shelves[name].fresh.get(`${word.siteId}\n${word.day()}`);
  if (known !== undefined) return known;
  const counted = await ingestPool().query({
    text: `SELECT count(*)::int AS fresh FROM facts.${name} WHERE site_id = $1 AND since = $2::date`,
    values: [word.siteId, word.day()],
  });
  return counted.rows[0].fresh;
}
