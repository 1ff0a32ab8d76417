import { columnsOf, type DictionaryName, extraOf } from "@/lib/ingest/event/catalogue";
import { ingestPool } from "@/lib/platform/pool";

/** Finds and adds rows of the dictionaries. */

export interface DimensionValue {
  siteId: number;
  /** Time of the event that uses it, in epoch milliseconds. */
  at: number;
  /** Returns the local day, stored as `first_seen` of a new value. Called only for new values. */
  day(): string;
  /** Its column values, as written by `textOf`. */
  text: string;
  extra?: readonly (string | null)[];
}

/** Stored text never contains U+0000, so different values never have the same key. */
export const SEPARATOR = "\0";
export const textOf = (values: readonly string[]): string => values.join(SEPARATOR);
const valuesOf = (value: DimensionValue): string[] => value.text.split(SEPARATOR);

export const keyOf = ({ siteId, text }: Pick<DimensionValue, "siteId" | "text">): string =>
  `${siteId}${SEPARATOR}${text}`;

const DAY_MS = 24 * 3600_000;
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
  isNew: boolean;
}

/** Returns the values as parameters of `unnest`: site, days, then a text array per column. */
function unnested(name: DictionaryName, wanted: readonly Wanted[]) {
  const [columns, extra] = [columnsOf(name), extraOf(name)];
  const values = wanted.map(({ value }) => valuesOf(value));
  const types = ["int[]", "date[]", "date[]", ...columns.map(() => "text[]"), ...extra.map(() => "text[]")];
  return {
    sql: `unnest(${types.map((type, i) => `$${i + 1}::${type}`).join(", ")})
          AS wanted(site_id, first_seen, last_used, ${[...columns, ...extra].join(", ")})`,
    values: [
      wanted.map(({ value }) => value.siteId),
      wanted.map(({ value }) => value.day()),
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
  const [columns, extra] = [columnsOf(name), extraOf(name)];
  const parameters = unnested(name, wanted);
  const key = `site_id, ${columns.join(", ")}`;
  const storedKey = ["site_id", ...columns].map((column) => `stored.${column}`).join(", ");
  const list = ["site_id", "first_seen", "last_used", ...columns, ...extra].join(", ");
  const found = await ingestPool().query({
    text: `WITH wanted AS MATERIALIZED (SELECT * FROM ${parameters.sql}),
             known AS MATERIALIZED (
               SELECT stored.id, stored.last_used AS was, wanted.last_used, ${storedKey}
               FROM facts.${name} AS stored JOIN wanted ON ${isWanted(name)} WHERE NOT stored.retired),
             stale AS MATERIALIZED (
               SELECT stored.site_id, stored.id, known.last_used FROM facts.${name} AS stored JOIN known USING (site_id, id)
               WHERE known.was < known.last_used ORDER BY stored.site_id, stored.id FOR NO KEY UPDATE OF stored),
             touched AS (
               UPDATE facts.${name} AS stored SET last_used = greatest(stored.last_used, stale.last_used) FROM stale
               WHERE stored.site_id = stale.site_id AND stored.id = stale.id AND NOT stored.retired
               RETURNING stored.id, ${storedKey}),
             added AS (
               INSERT INTO facts.${name} (${list})
               SELECT ${list} FROM wanted WHERE ${add} AND (${key}) NOT IN (SELECT ${key} FROM known) ORDER BY ${key}
               ON CONFLICT DO NOTHING RETURNING id, ${key})
           SELECT id, ${key}, false AS is_new FROM known WHERE was >= last_used
           UNION ALL SELECT id, ${key}, false FROM touched UNION ALL SELECT id, ${key}, true FROM added`,
    values: parameters.values,
  });
  return found.rows.map((row: Record<string, string> & { id: number; site_id: number; is_new: boolean }) => ({
    key: keyOf({ siteId: row.site_id, text: textOf(columns.map((column) => row[column] as string)) }),
    id: row.id,
    isNew: row.is_new,
  }));
}
