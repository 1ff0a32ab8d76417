import type { LRUCache } from "lru-cache";
import {
  BETWEEN,
  type DictionaryName,
  type DimensionValue,
  dayAt,
  endOfDay,
  findRows,
  keyOf,
  TABLES,
  textOf,
  type Wanted,
} from "@/lib/ingest/store/dictionary-rows";
import { boundedMap } from "@/lib/platform/bounded-map";
import { ingestPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";

export { DICTIONARIES, type DictionaryName, type DimensionValue, textOf } from "@/lib/ingest/store/dictionary-rows";

/** What a value beyond the daily cap is stored as. */
export const OTHER = "(other)";
const DAY_MS = 86_400_000;

interface Shelf {
  /** Ids of words, each until the end of the UTC day on which its row says that it is used. */
  ids: LRUCache<string, { id: number; until: number }>;
  /** What stands for words beyond a day's cap, by that day: tomorrow they have a place again. */
  others: LRUCache<string, number>;
  /** New values by site and day, as far as this process has counted. */
  fresh: LRUCache<string, number>;
}

const shelves = processWide("dictionaries", () => new Map<DictionaryName, Shelf>());

/** Made when it is asked for: a cache takes all of its room at once, and a thread that takes no events needs none of them. */
export function shelfOf(name: DictionaryName): Shelf {
  const known = shelves.get(name);
  if (known) return known;
  const texts = { sizeCalculation: (_: unknown, key: string) => key.length + 1, ttl: DAY_MS };
  const shelf: Shelf = {
    ids: boundedMap<string, { id: number; until: number }>(`${name} ids`, {
      ...texts,
      max: 50_000,
      maxSize: 16_000_000,
    }),
    others: boundedMap<string, number>(`${name} others`, { ...texts, max: 10_000, maxSize: 4_000_000 }),
    // A count that was forgotten is read from the database again.
    fresh: boundedMap<string, number>(`${name} new values`, { max: 5_000, ttl: DAY_MS }),
  };
  shelves.set(name, shelf);
  return shelf;
}

/** Words that are looked up together, by their keys: those still to be found, and the ids of the others. */
interface Search {
  name: DictionaryName;
  wanted: Map<string, Wanted>;
  found: Map<string, number>;
  remember: boolean;
}

/**
 * The ids of words, in their order; new words are added. Committed by itself, before the facts that use it, so that
 * a remembered id is always a real one.
 *
 * @param remember false for events of any age: the retention job deletes words of old days, and such an id is good only
 *   while the lock of the site's days is held.
 */
export async function intern(
  name: DictionaryName,
  words: readonly DimensionValue[],
  remember = true,
): Promise<number[]> {
  const { others } = shelfOf(name);
  const keys = words.map(keyOf);
  const search: Search = { name, wanted: new Map(), found: new Map(), remember };
  const known = words.map((word, index) => {
    const key = keys[index] as string;
    const id = remember ? remembered(name, key, word) : undefined;
    if (id === undefined) want(search, key, word);
    return id;
  });
  if (search.wanted.size === 0) return known as number[];
  const overflow = await learn(search);
  return keys.map((key, index) => {
    const other = overflow.get(key);
    const id = known[index] ?? search.found.get(other ? keyOf(other) : key);
    if (id === undefined) throw new Error(`facts.${name} did not return a word's id`);
    if (other && remember) others.set(onDay(words[index] as DimensionValue, key), id);
    return id;
  });
}

function remembered(name: DictionaryName, key: string, word: DimensionValue): number | undefined {
  const { ids, others } = shelfOf(name);
  const found = ids.get(key);
  return found && word.at < found.until ? found.id : others.get(onDay(word, key));
}

/** The first of several words of one key is learnt: its title is the one that was seen first. */
function want({ wanted }: Search, key: string, word: DimensionValue): void {
  const before = wanted.get(key);
  if (before) before.day = Math.max(before.day, dayAt(word.at));
  else wanted.set(key, { word, day: dayAt(word.at) });
}

const onDay = (word: DimensionValue, key: string) => `${word.day()}${BETWEEN}${key}`;

/**
 * Most often the day has room for all of them, and one statement does. Only beyond it what is new has to be told first
 * from what this process merely does not remember.
 *
 * @returns what stands for each word beyond the day's cap.
 */
async function learn(search: Search): Promise<ReadonlyMap<string, DimensionValue>> {
  let overflow: ReadonlyMap<string, DimensionValue> = new Map();
  if (await takeRoom(search)) {
    await addInRoom(search);
  } else {
    await find(search, false);
    overflow = await capNewWords(search);
    await find(search, true);
  }
  // What another process added in the same moment is found now, and what the retention job retired is added anew.
  await find(search, true);
  return overflow;
}

/** Counts all of these as new words of their days, if there is room for so many. @returns whether there was. */
async function takeRoom({ name, wanted: all }: Search): Promise<boolean> {
  const { fresh } = shelfOf(name);
  const wanted = new Map<string, number>();
  for (const { word } of all.values()) {
    await countFresh(name, word);
    wanted.set(dayOf(word), (wanted.get(dayOf(word)) ?? 0) + 1);
  }
  const taken = [...wanted].map(([day, words]) => [day, (fresh.get(day) ?? 0) + words] as const);
  if (taken.some(([, count]) => count > TABLES[name].newPerDay)) return false;
  for (const [day, count] of taken) fresh.set(day, count);
  return true;
}

/** Gives back the room of those that were no new words. */
async function addInRoom(search: Search): Promise<void> {
  const { fresh } = shelfOf(search.name);
  const words = new Map(search.wanted);
  try {
    for (const key of await find(search, true)) words.delete(key);
  } catch (error) {
    // How many were added is only known to Postgres now.
    for (const { word } of words.values()) fresh.delete(dayOf(word));
    throw error;
  }
  for (const { word } of words.values()) fresh.set(dayOf(word), Math.max(0, (fresh.get(dayOf(word)) ?? 0) - 1));
}

const dayOf = (word: DimensionValue) => `${word.siteId}\n${word.day()}`;

/** Takes the words that exist, or are added, out of `wanted`. @returns the keys of those added. */
async function find({ name, wanted, found, remember }: Search, add: boolean): Promise<string[]> {
  const rows = await findRows(name, [...wanted.values()], add);
  for (const { key, id } of rows) {
    const { day } = wanted.get(key) as Wanted;
    if (remember) shelfOf(name).ids.set(key, { id, until: endOfDay(day) });
    found.set(key, id);
    wanted.delete(key);
  }
  return rows.filter(({ isNew }) => isNew).map(({ key }) => key);
}

/**
 * Takes the words beyond the day's cap out of `wanted` and puts `(other)` in their place, so that random paths
 * cannot grow a dictionary without end.
 *
 * @returns what stands for each word that was taken out.
 */
async function capNewWords(search: Search): Promise<Map<string, DimensionValue>> {
  const { name, wanted } = search;
  const { columns, newPerDay } = TABLES[name];
  const overflow = new Map<string, DimensionValue>();
  for (const [key, { word }] of [...wanted]) {
    const count = (await countFresh(name, word)) + 1;
    if (count <= newPerDay) {
      shelfOf(name).fresh.set(dayOf(word), count);
      continue;
    }
    const text = textOf(columns.map(() => OTHER));
    const other: DimensionValue = { siteId: word.siteId, at: word.at, day: () => word.day(), text };
    overflow.set(key, other);
    wanted.delete(key);
    want(search, keyOf(other), other);
  }
  return overflow;
}

async function countFresh(name: DictionaryName, word: DimensionValue): Promise<number> {
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
