import type { LRUCache } from "lru-cache";
import { columnsOf, DICTIONARIES, type DictionaryName, dictionaryNames, extraOf } from "@/lib/ingest/event/catalogue";
import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import {
  type DimensionValue,
  dayAt,
  endOfDay,
  findRows,
  joinText,
  keyOf,
  localDayOf,
  SEPARATOR,
  type Wanted,
} from "@/lib/ingest/store/dictionary-rows";
import type { DimensionIds } from "@/lib/ingest/store/visits";
import { boundedMap } from "@/lib/platform/bounded-map";
import { DAY_MS } from "@/lib/platform/durations";
import { Fault } from "@/lib/platform/errors";
import { ingestPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";

/** Value that replaces new values beyond the daily cap. */
export const OTHER = "(other)";

interface Caches {
  /** Ids of values, each valid until the end of the UTC day that its row has as `last_used`. */
  ids: LRUCache<string, { id: number; until: number }>;
  /** Ids that replace values beyond a day's cap, by that day: they are added on the next day. */
  others: LRUCache<string, number>;
  /** Number of new values by site and day, as far as this process knows. */
  fresh: LRUCache<string, number>;
}

const caches = processWide("dictionaries", () => new Map<DictionaryName, Caches>());

/** Created on first use: a cache allocates all its memory up front, and threads without ingest need none. */
export function cachesOf(name: DictionaryName): Caches {
  const known = caches.get(name);
  if (known) return known;
  const texts = { sizeCalculation: (_: unknown, key: string) => key.length + 1, ttl: DAY_MS };
  const created: Caches = {
    ids: boundedMap<string, { id: number; until: number }>(`${name} ids`, {
      ...texts,
      max: 50_000,
      maxSize: 16_000_000,
    }),
    others: boundedMap<string, number>(`${name} others`, { ...texts, max: 10_000, maxSize: 4_000_000 }),
    // An evicted count is read from the database again.
    fresh: boundedMap<string, number>(`${name} new values`, { max: 5_000, ttl: DAY_MS }),
  };
  caches.set(name, created);
  return created;
}

/** A lookup of several values, by key: those still wanted, and the ids found. */
interface Lookup {
  name: DictionaryName;
  wanted: Map<string, Wanted>;
  found: Map<string, number>;
  useCache: boolean;
}

/**
 * Returns the ids of values, in their order; new values are added. Committed on its own, before the facts that use the
 * ids, so that a cached id always exists.
 *
 * @param useCache false for events of any age: the retention job deletes values of old days, and their ids are valid
 *   only while the lock of the site's days is held.
 */
export async function intern(
  name: DictionaryName,
  values: readonly DimensionValue[],
  useCache = true,
): Promise<number[]> {
  const { others } = cachesOf(name);
  const keys = values.map(keyOf);
  const lookup: Lookup = { name, wanted: new Map(), found: new Map(), useCache };
  const known = values.map((value, index) => {
    const key = keys[index] as string;
    const id = useCache ? cachedId(name, key, value) : undefined;
    if (id === undefined) want(lookup, key, value);
    return id;
  });
  if (lookup.wanted.size === 0) return known as number[];
  const overflow = await resolve(lookup);
  return keys.map((key, index) => {
    const other = overflow.get(key);
    const id = known[index] ?? lookup.found.get(other ? keyOf(other) : key);
    if (id === undefined) throw new Fault(`facts.${name} did not return a value's id`);
    if (other && useCache) others.set(onDay(values[index] as DimensionValue, key), id);
    return id;
  });
}

function cachedId(name: DictionaryName, key: string, value: DimensionValue): number | undefined {
  const { ids, others } = cachesOf(name);
  const found = ids.get(key);
  return found && value.at < found.until ? found.id : others.get(onDay(value, key));
}

/** Of several values with one key, the first is stored, with its title. */
function want({ wanted }: Lookup, key: string, value: DimensionValue): void {
  const existing = wanted.get(key);
  if (existing) existing.day = Math.max(existing.day, dayAt(value.at));
  else wanted.set(key, { value, day: dayAt(value.at) });
}

const onDay = (value: DimensionValue, key: string) => `${localDayOf(value)}${SEPARATOR}${key}`;

/** Resolves the wanted values, and adds those that are new. @returns the replacement of each value beyond the daily cap. */
async function resolve(lookup: Lookup): Promise<ReadonlyMap<string, DimensionValue>> {
  await find(lookup, false);
  const overflow = await capNewValues(lookup);
  try {
    await find(lookup, true);
    // Finds what another process added meanwhile, and adds what the retention job retired.
    await find(lookup, true);
  } catch (error) {
    // Only Postgres knows now how many were added.
    for (const { value } of lookup.wanted.values()) cachesOf(lookup.name).fresh.delete(dayOf(value));
    throw error;
  }
  return overflow;
}

const dayOf = (value: DimensionValue) => `${value.siteId}\n${localDayOf(value)}`;

/** Moves the values that exist, or are added, from `wanted` to `found`. */
async function find({ name, wanted, found, useCache }: Lookup, add: boolean): Promise<void> {
  for (const { key, id } of await findRows(name, [...wanted.values()], add)) {
    const { day } = wanted.get(key) as Wanted;
    if (useCache) cachesOf(name).ids.set(key, { id, until: endOfDay(day) });
    found.set(key, id);
    wanted.delete(key);
  }
}

/**
 * Replaces wanted values beyond the daily cap by `(other)`, so that random paths cannot grow a dictionary without
 * limit.
 *
 * @returns the replacement of each removed value.
 */
async function capNewValues(lookup: Lookup): Promise<Map<string, DimensionValue>> {
  const { name, wanted } = lookup;
  const { newPerDay } = DICTIONARIES[name];
  const overflow = new Map<string, DimensionValue>();
  for (const [key, { value }] of [...wanted]) {
    const count = (await countFresh(name, value)) + 1;
    if (count <= newPerDay) {
      cachesOf(name).fresh.set(dayOf(value), count);
      continue;
    }
    const text = joinText(columnsOf(name).map(() => OTHER));
    const other: DimensionValue = { ...value, text, extra: [] };
    overflow.set(key, other);
    wanted.delete(key);
    want(lookup, keyOf(other), other);
  }
  return overflow;
}

async function countFresh(name: DictionaryName, value: DimensionValue): Promise<number> {
  const { fresh } = cachesOf(name);
  const known = fresh.get(dayOf(value));
  if (known !== undefined) return known;
  const counted = await ingestPool().query({
    text: `SELECT count(*)::int AS fresh FROM facts.${name} WHERE site_id = $1 AND first_seen = $2::date`,
    values: [value.siteId, localDayOf(value)],
  });
  const count = fresh.get(dayOf(value)) ?? counted.rows[0].fresh;
  fresh.set(dayOf(value), count);
  return count;
}

/** Returns the dictionary ids of every event's values. The dictionaries are looked up concurrently. */
export async function internEvents(events: readonly DecidedEvent[]): Promise<DimensionIds[]> {
  const ids = events.map(
    (): DimensionIds => ({ page: 0, referrer: 0, campaign: 0, place: 0, agent: 0, name: 0, verdict: 0 }),
  );
  await Promise.all(dictionaryNames.map((name) => internDimension(name, events, ids)));
  return ids;
}

async function internDimension(
  name: DictionaryName,
  events: readonly DecidedEvent[],
  ids: readonly DimensionIds[],
): Promise<void> {
  const having: DimensionIds[] = [];
  const values: DimensionValue[] = [];
  for (const [position, event] of events.entries()) {
    const value = valueIn(event, name);
    if (value === null) continue;
    having.push(ids[position] as DimensionIds);
    values.push(value);
  }
  const found = await intern(name, values);
  for (const [position, idsOfEvent] of having.entries()) idsOfEvent[name] = found[position] as number;
}

const NO_EXTRA: readonly string[] = [];

/** Returns the value of an event in a dictionary; null where it has none. */
function valueIn(event: DecidedEvent, name: DictionaryName): DimensionValue | null {
  const value = event[name] as string | Readonly<Record<string, string>> | null;
  if (value === null) return null;
  return {
    siteId: event.siteId,
    at: millisecondOf(event.timestamp),
    timezone: event.timezone,
    text: typeof value === "string" ? value : joinText(columnsOf(name).map((column) => value[column] as string)),
    extra: extraOf(name).length > 0 ? [event.page?.title ?? null] : NO_EXTRA,
  };
}
