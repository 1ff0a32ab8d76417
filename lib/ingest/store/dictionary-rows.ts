import { columnsOf, type DictionaryName, extraOf } from "@/lib/ingest/event/catalogue";
import { DAY_MS } from "@/lib/platform/durations";
import { ingestPool, inIngestTransaction } from "@/lib/platform/pool";
import { localDay } from "@/lib/platform/time";

/** Finds and adds rows of the dictionaries. */

export interface DimensionValue {
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
export const SEPARATOR = "\0";
export const joinText = (values: readonly string[]): string => values.join(SEPARATOR);
const splitText = (value: DimensionValue): string[] => value.text.split(SEPARATOR);

export const keyOf = ({ siteId, text }: Pick<DimensionValue, "siteId" | "text">): string =>
  `${siteId}${SEPARATOR}${text}`;

/** Returns the UTC day of a time, in days since the epoch. */
export const dayAt = (at: number): number => Math.floor(at / DAY_MS);
/** Returns when a UTC day ends, in epoch milliseconds. */
export const endOfDay = (day: number): number => (day + 1) * DAY_MS;
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** A value to look up, with the last UTC day on which it is used. */
export interface Wanted {
  value: DimensionValue;
  day: number;
}

export interface FoundRow {
  key: string;
  id: number;
}

/** Returns values as parameters of `unnest`: site and days, then a text array per column. */
function unnested(name: DictionaryName, wanted: readonly Wanted[]) {
  const [columns, extra] = [columnsOf(name), extraOf(name)];
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
  const same = ["site_id", ...columnsOf(name)].map((column) => `stored.${column} = wanted.${column}`).join(" AND ");
  return name === "page" ? `${same} AND facts.digest(stored.path) = facts.digest(wanted.path)` : same;
};

/**
 * Finds the rows of values and extends their `last_used` day: the retention job retires no row that is used on a retained
 * day. Rows are locked in one order, so that processes cannot deadlock.
 *
 * @param add whether to insert missing values, except those that another process is inserting.
 * @returns no entry for a row that another process is inserting or the retention job is retiring.
 */
export async function findRows(name: DictionaryName, wanted: readonly Wanted[], add: boolean): Promise<FoundRow[]> {
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
  keyOf({ siteId: row.site_id, text: joinText(columnsOf(name).map((column) => row[column] as string)) });

/** Reads rows, and inserts the missing ones if `add`. */
async function readOrAdd(name: DictionaryName, wanted: readonly Wanted[], add: boolean): Promise<KnownRow[]> {
  const { sql, values } = unnested(name, wanted);
  const columns = ["site_id", ...columnsOf(name)];
  const key = columns.join(", ");
  const list = ["site_id", "first_seen", "last_used", ...columnsOf(name), ...extraOf(name)].join(", ");
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
