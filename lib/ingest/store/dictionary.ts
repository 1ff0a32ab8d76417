import type { LRUCache } from "lru-cache";
import {
  DICTIONARIES,
  type DictionaryName,
  dictionaryColumns,
  dictionaryNames,
  extraOf,
} from "@/lib/ingest/event/catalogue";
import type { DecidedEvent } from "@/lib/ingest/event/decided-event";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import type { DimensionIds } from "@/lib/ingest/store/visits";
import { boundedMap } from "@/lib/platform/bounded-map";
import { DAY_MS } from "@/lib/platform/durations";
import { Fault } from "@/lib/platform/errors";
import { ingestPool, inIngestTransaction } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";
import { localDay } from "@/lib/platform/time";

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
    for (const { value } of lookup.wanted.values()) cachesOf(lookup.name).fresh.delete(siteDayOf(value));
    throw error;
  }
  return overflow;
}

const siteDayOf = (value: DimensionValue) => `${value.siteId}\n${localDayOf(value)}`;

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
      cachesOf(name).fresh.set(siteDayOf(value), count);
      continue;
    }
    const text = joinText(dictionaryColumns(name).map(() => OTHER));
    const other: DimensionValue = { ...value, text, extra: [] };
    overflow.set(key, other);
    wanted.delete(key);
    want(lookup, keyOf(other), other);
  }
  return overflow;
}

async function countFresh(name: DictionaryName, value: DimensionValue): Promise<number> {
  const { fresh } = cachesOf(name);
  const known = fresh.get(siteDayOf(value));
  if (known !== undefined) return known;
  const counted = await ingestPool().query({
    text: `SELECT count(*)::int AS fresh FROM facts.${name} WHERE site_id = $1 AND first_seen = $2::date`,
    values: [value.siteId, localDayOf(value)],
  });
  const count = fresh.get(siteDayOf(value)) ?? counted.rows[0].fresh;
  fresh.set(siteDayOf(value), count);
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
    text:
      typeof value === "string" ? value : joinText(dictionaryColumns(name).map((column) => value[column] as string)),
    extra: extraOf(name).length > 0 ? [event.page?.title ?? null] : NO_EXTRA,
  };
}

/** Finds and adds rows of the dictionaries. */

interface DimensionValue {
  siteId: number;
  /** Time of the event that uses it, in epoch milliseconds. */
  at: number;
  /** The zone of the local day that is stored as `first_seen` of a new value. */
  timezone: string;
  /** The day itself, where values of several days are added at once. */
  firstSeen?: string;
  /** Its column values, as written by `textOf`. */
  text: string;
  extra?: readonly (string | null)[];
}

/** Returns the local day of the event that uses a value. */
export const localDayOf = ({ at, timezone, firstSeen }: DimensionValue): string =>
  firstSeen ?? localDay(new Date(at), timezone).toString();

/** Stored text never contains U+0000, so different values never have the same key. */
const SEPARATOR = "\0";
export const joinText = (values: readonly string[]): string => values.join(SEPARATOR);
const splitText = (value: DimensionValue): string[] => value.text.split(SEPARATOR);

export const keyOf = ({ siteId, text }: Pick<DimensionValue, "siteId" | "text">): string =>
  `${siteId}${SEPARATOR}${text}`;

/** Returns the UTC day of a time, in days since the epoch. */
const dayAt = (at: number): number => Math.floor(at / DAY_MS);
/** Returns when a UTC day ends, in epoch milliseconds. */
const endOfDay = (day: number): number => (day + 1) * DAY_MS;
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** A value to look up, with the last UTC day on which it is used. */
export interface Wanted {
  value: DimensionValue;
  day: number;
}

interface FoundRow {
  key: string;
  id: number;
}

/** Returns values as parameters of `unnest`: site and days, then a text array per column. */
function unnested(name: DictionaryName, wanted: readonly Wanted[]) {
  const [columns, extra] = [dictionaryColumns(name), extraOf(name)];
  const values = wanted.map(({ value }) => splitText(value));
  const types = ["int[]", "date[]", "date[]", ...columns.map(() => "text[]"), ...extra.map(() => "text[]")];
  return {
    sql: `unnest(${types.map((type, i) => `$${i + 1}::${type}`).join(", ")})
          AS wanted(site_id, first_seen, last_used, ${[...columns, ...extra].join(", ")})`,
    values: [
      wanted.map(({ value }) => value.siteId),
      wanted.map(({ value }) => localDayOf(value)),
      wanted.map(({ day }) => dateOf(day)),
      ...columns.map((_, i) => values.map((of) => of[i])),
      ...extra.map((_, i) => wanted.map(({ value }) => value.extra?.[i] ?? null)),
    ],
  };
}

/** SQL condition that `stored` equals `wanted`. The index holds digests of paths, which are too long for its rows. */
const isWanted = (name: DictionaryName): string => {
  const same = ["site_id", ...dictionaryColumns(name)]
    .map((column) => `stored.${column} = wanted.${column}`)
    .join(" AND ");
  return name === "page" ? `${same} AND facts.digest(stored.path) = facts.digest(wanted.path)` : same;
};

/**
 * Finds the rows of values and extends their `last_used` day: the retention job retires no row that is used on a retained
 * day. Rows are locked in one order, so that processes cannot deadlock.
 *
 * @param add whether to insert missing values, except those that another process is inserting.
 * @returns no entry for a row that another process is inserting or the retention job is retiring.
 */
async function findRows(name: DictionaryName, wanted: readonly Wanted[], add: boolean): Promise<FoundRow[]> {
  if (wanted.length === 0) return [];
  const rows = await readOrAdd(name, wanted, add);
  const stale = rows.filter(({ isStale }) => isStale);
  if (stale.length === 0) return rows;
  const extended = await extendUse(name, stale);
  return rows.filter((row) => !row.isStale || extended.has(siteAndId(row)));
}

interface KnownRow extends FoundRow {
  siteId: number;
  /** The last day on which the value is used, as an ISO date; the row has an earlier one. */
  lastUsed: string;
  isStale: boolean;
}

const siteAndId = ({ siteId, id }: { siteId: number; id: number }): string => `${siteId}|${id}`;

type StoredRow = Record<string, string> & { id: number; site_id: number };

const keyOfRow = (name: DictionaryName, row: StoredRow): string =>
  keyOf({ siteId: row.site_id, text: joinText(dictionaryColumns(name).map((column) => row[column] as string)) });

/** Reads rows, and inserts the missing ones if `add`. */
async function readOrAdd(name: DictionaryName, wanted: readonly Wanted[], add: boolean): Promise<KnownRow[]> {
  const { sql, values } = unnested(name, wanted);
  const columns = ["site_id", ...dictionaryColumns(name)];
  const key = columns.join(", ");
  const list = ["site_id", "first_seen", "last_used", ...dictionaryColumns(name), ...extraOf(name)].join(", ");
  const found = await ingestPool().query({
    text: `WITH wanted AS MATERIALIZED (SELECT * FROM ${sql}),
             known AS MATERIALIZED (
               SELECT stored.id, ${columns.map((column) => `stored.${column}`).join(", ")}, wanted.last_used,
                 stored.last_used < wanted.last_used AS stale
               FROM facts.${name} AS stored JOIN wanted ON ${isWanted(name)} WHERE NOT stored.retired),
             added AS (
               INSERT INTO facts.${name} (${list})
               SELECT ${list} FROM wanted WHERE ${add} AND (${key}) NOT IN (SELECT ${key} FROM known) ORDER BY ${key}
               ON CONFLICT DO NOTHING RETURNING id, ${key}, last_used)
           SELECT id, ${key}, last_used::text, stale FROM known
           UNION ALL SELECT id, ${key}, last_used::text, false FROM added`,
    values,
  });
  return found.rows.map((row) => ({
    key: keyOfRow(name, row),
    id: row.id,
    siteId: row.site_id,
    lastUsed: row.last_used,
    isStale: row.stale,
  }));
}

/** Sets a later `last_used` day. @returns the rows that are not retired. */
function extendUse(name: DictionaryName, stale: readonly KnownRow[]): Promise<ReadonlySet<string>> {
  const bySite = new Map<number, KnownRow[]>();
  for (const row of [...stale].sort((a, b) => a.siteId - b.siteId))
    bySite.set(row.siteId, [...(bySite.get(row.siteId) ?? []), row]);
  return inIngestTransaction(async (client) => {
    // A distributed Postgres locks rows of one site at a time.
    const lock = `SELECT FROM facts.${name} WHERE site_id = $1 AND id = ANY($2::int[]) ORDER BY id FOR NO KEY UPDATE`;
    const locks = [...bySite].map(([siteId, rows]) => client.query(lock, [siteId, rows.map(({ id }) => id)]));
    const extend = `UPDATE facts.${name} AS stored SET last_used = greatest(stored.last_used, given.last_used)
      FROM unnest($1::int[], $2::int[], $3::date[]) AS given(site_id, id, last_used)
      WHERE stored.site_id = given.site_id AND stored.id = given.id AND NOT stored.retired
      RETURNING stored.site_id AS "siteId", stored.id`;
    const columns = [
      stale.map(({ siteId }) => siteId),
      stale.map(({ id }) => id),
      stale.map(({ lastUsed }) => lastUsed),
    ];
    const [extended] = await Promise.all([client.query(extend, columns), ...locks]);
    return new Set(extended.rows.map(siteAndId));
  });
}
