import { ingestPool } from "@/lib/platform/pool";

/** The rows of the dictionaries: how they are found, and added. */

/**
 * The dictionaries: their columns, how many new values one site may add a day, and what stands for the rest.
 * `extra` columns are kept from the first time a value is seen and do not tell values apart.
 */
export const TABLES = {
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

export interface DimensionValue {
  siteId: number;
  /** When the event happened that uses it, in epoch milliseconds. */
  at: number;
  /** The local day, as `since` of a new value; only asked for those. */
  day(): string;
  /** Its values, as `textOf` writes them. */
  text: string;
  extra?: readonly (string | null)[];
}

/** U+0000 is the one character that no stored text holds, so that no two words are written alike. */
export const BETWEEN = "\0";
export const textOf = (values: readonly string[]): string => values.join(BETWEEN);
const valuesOf = (word: DimensionValue): string[] => word.text.split(BETWEEN);

export const keyOf = ({ siteId, text }: Pick<DimensionValue, "siteId" | "text">): string =>
  `${siteId}${BETWEEN}${text}`;

const DAY_MS = 24 * 3600_000;
/** The UTC day of a moment, as a number. */
export const dayAt = (at: number): number => Math.floor(at / DAY_MS);
/** When a UTC day ends. */
export const endOfDay = (day: number): number => (day + 1) * DAY_MS;
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** A word to look up, with the last UTC day on which it is used. */
export interface Wanted {
  word: DimensionValue;
  day: number;
}

export interface FoundRow {
  key: string;
  id: number;
  isNew: boolean;
}

/** The parameters of a list of words, as `unnest` takes them: site, days, then a text array a column. */
function unnested(name: DictionaryName, wanted: readonly Wanted[]) {
  const { columns, extra } = TABLES[name];
  const values = wanted.map(({ word }) => valuesOf(word));
  const types = ["int[]", "date[]", "date[]", ...columns.map(() => "text[]"), ...extra.map(() => "text[]")];
  return {
    sql: `unnest(${types.map((type, i) => `$${i + 1}::${type}`).join(", ")})
          AS asked(site_id, since, used, ${[...columns, ...extra].join(", ")})`,
    values: [
      wanted.map(({ word }) => word.siteId),
      wanted.map(({ word }) => word.day()),
      wanted.map(({ day }) => dateOf(day)),
      ...columns.map((_, i) => values.map((of) => of[i])),
      ...extra.map((_, i) => wanted.map(({ word }) => word.extra?.[i] ?? null)),
    ],
  };
}

/** SQL for the condition that `word` is `asked`. The index holds digests of paths, which are too long for its rows. */
const isAsked = (name: DictionaryName): string => {
  const same = ["site_id", ...TABLES[name].columns].map((column) => `word.${column} = asked.${column}`).join(" AND ");
  return name === "page" ? `${same} AND facts.digest(word.path) = facts.digest(asked.path)` : same;
};

/**
 * Finds the rows of words, and says in them until which day they are used: the retention job takes no row that is used on
 * a kept day. Rows are locked in one order, so that processes wait for each other but never in a circle.
 *
 * @param add adds the words that do not exist, but for those that another process adds in this moment.
 * @returns nothing for a row that another process adds, or the retention job retires, in this moment.
 */
export async function findRows(name: DictionaryName, wanted: readonly Wanted[], add: boolean): Promise<FoundRow[]> {
  if (wanted.length === 0) return [];
  const { columns, extra } = TABLES[name];
  const asked = unnested(name, wanted);
  const key = `site_id, ${columns.join(", ")}`;
  const ofWord = ["site_id", ...columns].map((column) => `word.${column}`).join(", ");
  const list = ["site_id", "since", "used", ...columns, ...extra].join(", ");
  const found = await ingestPool().query({
    text: `WITH asked AS MATERIALIZED (SELECT * FROM ${asked.sql}),
             known AS MATERIALIZED (
               SELECT word.id, word.used AS was, asked.used, ${ofWord}
               FROM facts.${name} AS word JOIN asked ON ${isAsked(name)} WHERE NOT word.retired),
             stale AS MATERIALIZED (
               SELECT word.site_id, word.id, known.used FROM facts.${name} AS word JOIN known USING (site_id, id)
               WHERE known.was < known.used ORDER BY word.site_id, word.id FOR NO KEY UPDATE OF word),
             touched AS (
               UPDATE facts.${name} AS word SET used = greatest(word.used, stale.used) FROM stale
               WHERE word.site_id = stale.site_id AND word.id = stale.id AND NOT word.retired
               RETURNING word.id, ${ofWord}),
             added AS (
               INSERT INTO facts.${name} (${list})
               SELECT ${list} FROM asked WHERE ${add} AND (${key}) NOT IN (SELECT ${key} FROM known) ORDER BY ${key}
               ON CONFLICT DO NOTHING RETURNING id, ${key})
           SELECT id, ${key}, false AS is_new FROM known WHERE was >= used
           UNION ALL SELECT id, ${key}, false FROM touched UNION ALL SELECT id, ${key}, true FROM added`,
    values: asked.values,
  });
  return found.rows.map((row: Record<string, string> & { id: number; site_id: number; is_new: boolean }) => ({
    key: keyOf({ siteId: row.site_id, text: textOf(columns.map((column) => row[column] as string)) }),
    id: row.id,
    isNew: row.is_new,
  }));
}
