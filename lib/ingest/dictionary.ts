import { LRUCache } from "lru-cache";
import { ingestPool } from "@/lib/pool";
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
  /** Its values, as `textOf` writes them. */
  text: string;
  extra?: readonly (string | null)[];
}

/** U+0000 is the one character that no stored text holds, so that no two words are written alike. */
const BETWEEN = "\0";
export const textOf = (values: readonly string[]): string => values.join(BETWEEN);
const valuesOf = (word: Word): string[] => word.text.split(BETWEEN);

interface Shelf {
  ids: LRUCache<string, number>;
  /** What stands for words beyond a day's cap, by that day: tomorrow they have a place again. */
  others: LRUCache<string, number>;
  /** New values by site and day, as far as this process has counted. */
  fresh: LRUCache<string, number>;
}

const shelves = processWide("dictionaries", () => new Map<DictionaryName, Shelf>());

/** Made when it is asked for: a cache takes all of its room at once, and the thread of pages needs none of them. */
function shelfOf(name: DictionaryName): Shelf {
  const known = shelves.get(name);
  if (known) return known;
  const shelf: Shelf = {
    ids: new LRUCache({ max: 50_000 }),
    others: new LRUCache({ max: 10_000 }),
    fresh: new LRUCache({ max: 5_000 }),
  };
  shelves.set(name, shelf);
  return shelf;
}

const keyOf = ({ siteId, text }: Pick<Word, "siteId" | "text">): string => `${siteId}${BETWEEN}${text}`;

/**
 * The ids of words, in their order; new words are added. Committed by itself, before the facts that use it, so that
 * a remembered id is always a real one.
 */
export async function intern(name: DictionaryName, words: readonly Word[]): Promise<number[]> {
  const { ids, others } = shelfOf(name);
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

const onDay = (word: Word, key: string) => `${word.day()}${BETWEEN}${key}`;

/**
 * Most often the day has room for all of them, and one statement does. Only beyond it what is new has to be told first
 * from what this process merely does not remember.
 *
 * @returns what stands for each word beyond the day's cap.
 */
async function learn(name: DictionaryName, unknown: Map<string, Word>): Promise<ReadonlyMap<string, Word>> {
  let overflow: ReadonlyMap<string, Word> = new Map();
  if (await takeRoom(name, [...unknown.values()])) {
    await addInRoom(name, unknown);
  } else {
    await find(name, unknown);
    overflow = await capNewWords(name, unknown);
    await findOrAdd(name, unknown);
  }
  // What another process added in the same moment is found now.
  await find(name, unknown);
  return overflow;
}

/** Counts all of these as new words of their days, if there is room for so many. @returns whether there was. */
async function takeRoom(name: DictionaryName, words: Word[]): Promise<boolean> {
  const { fresh } = shelfOf(name);
  const wanted = new Map<string, number>();
  for (const word of words) {
    await countFresh(name, word);
    wanted.set(dayOf(word), (wanted.get(dayOf(word)) ?? 0) + 1);
  }
  const taken = [...wanted].map(([day, words]) => [day, (fresh.get(day) ?? 0) + words] as const);
  if (taken.some(([, count]) => count > TABLES[name].newPerDay)) return false;
  for (const [day, count] of taken) fresh.set(day, count);
  return true;
}

/** Gives back the room of those that were no new words. */
async function addInRoom(name: DictionaryName, unknown: Map<string, Word>): Promise<void> {
  const { fresh } = shelfOf(name);
  const words = new Map(unknown);
  try {
    for (const key of await findOrAdd(name, unknown)) words.delete(key);
  } catch (error) {
    // How many were added is only known to Postgres now.
    for (const word of words.values()) fresh.delete(dayOf(word));
    throw error;
  }
  for (const word of words.values()) fresh.set(dayOf(word), Math.max(0, (fresh.get(dayOf(word)) ?? 0) - 1));
}

const dayOf = (word: Word) => `${word.siteId}\n${word.day()}`;

/** The parameters of a list of words, as `unnest` takes them: site, day, then a text array a column. */
function unnested(name: DictionaryName, words: Word[]) {
  const { columns, extra } = TABLES[name];
  const values = words.map(valuesOf);
  const types = ["int[]", "date[]", ...columns.map(() => "text[]"), ...extra.map(() => "text[]")];
  return {
    sql: `unnest(${types.map((type, i) => `$${i + 1}::${type}`).join(", ")}) AS asked(site_id, since, ${[...columns, ...extra].join(", ")})`,
    values: [
      words.map((word) => word.siteId),
      words.map((word) => word.day()),
      ...columns.map((_, i) => values.map((of) => of[i])),
      ...extra.map((_, i) => words.map((word) => word.extra?.[i] ?? null)),
    ],
  };
}

/** SQL for the condition that `word` is `asked`. The index holds digests of paths, which are too long for its rows. */
const isAsked = (name: DictionaryName): string => {
  const same = ["site_id", ...TABLES[name].columns].map((column) => `word.${column} = asked.${column}`).join(" AND ");
  return name === "page" ? `${same} AND facts.digest(word.path) = facts.digest(asked.path)` : same;
};

/** Remembers the ids of those words that exist, and takes them out of `unknown`. */
async function find(name: DictionaryName, unknown: Map<string, Word>): Promise<void> {
  if (unknown.size === 0) return;
  const asked = unnested(name, [...unknown.values()]);
  const found = await ingestPool().query({
    text: `SELECT word.id, asked.* FROM facts.${name} AS word JOIN ${asked.sql} ON ${isAsked(name)}`,
    values: asked.values,
  });
  remember(name, found.rows, unknown);
}

/** The same, with the words that do not exist added, but for those that another process adds in this moment. @returns the keys of those added. */
async function findOrAdd(name: DictionaryName, unknown: Map<string, Word>): Promise<string[]> {
  if (unknown.size === 0) return [];
  const { columns, extra } = TABLES[name];
  const asked = unnested(name, [...unknown.values()]);
  const key = `site_id, ${columns.join(", ")}`;
  const list = ["site_id", "since", ...columns, ...extra].join(", ");
  const found = await ingestPool().query({
    text: `WITH asked AS (SELECT * FROM ${asked.sql}),
             known AS (SELECT word.id, asked.* FROM facts.${name} AS word JOIN asked ON ${isAsked(name)}),
             added AS (
               INSERT INTO facts.${name} (${list})
               SELECT ${list} FROM asked WHERE (${key}) NOT IN (SELECT ${key} FROM known) ORDER BY ${key}
               ON CONFLICT DO NOTHING RETURNING id, ${key})
           SELECT id, ${key}, false AS is_new FROM known UNION ALL SELECT *, true FROM added`,
    values: asked.values,
  });
  remember(name, found.rows, unknown);
  return found.rows.filter((row) => row.is_new).map((row) => keyOfRow(name, row));
}

type Row = Record<string, string> & { id: number; site_id: number };

const keyOfRow = (name: DictionaryName, row: Row) =>
  keyOf({ siteId: row.site_id, text: textOf(TABLES[name].columns.map((column) => row[column] as string)) });

function remember(name: DictionaryName, rows: Row[], unknown: Map<string, Word>): void {
  for (const row of rows) {
    const key = keyOfRow(name, row);
    shelfOf(name).ids.set(key, row.id);
    unknown.delete(key);
  }
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
      shelfOf(name).fresh.set(dayOf(word), count);
      continue;
    }
    const other = { siteId: word.siteId, day: () => word.day(), text: textOf(columns.map(() => OTHER)) };
    overflow.set(key, other);
    unknown.delete(key);
    if (!shelfOf(name).ids.has(keyOf(other))) unknown.set(keyOf(other), other);
  }
  return overflow;
}

async function countFresh(name: DictionaryName, word: Word): Promise<number> {
  const { fresh } = shelfOf(name);
  const known = fresh.get(dayOf(word));
  if (known !== undefined) return known;
  const counted = await ingestPool().query({
    text: `SELECT count(*)::int AS fresh FROM facts.${name} WHERE site_id = $1 AND since = $2::date`,
    values: [word.siteId, word.day()],
  });
  const count = fresh.get(dayOf(word)) ?? counted.rows[0].fresh;
  fresh.set(dayOf(word), count);
  return count;
}
