import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { dayNumbers, dayStarts } from "@/lib/analytics/calendar/buckets";
import type { CopyOptions } from "@/lib/analytics/engine/copy-options";
import type { Ledger, Span } from "@/lib/analytics/engine/ledger";
import { DICTIONARIES, type Dictionary, dictionaries, TABLES, type Table } from "@/lib/analytics/engine/schema";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { TRAILING_SLASHES } from "@/lib/platform/canonical";
import { localDay, startOfDay } from "@/lib/platform/time";

/** Copies facts from Postgres to DuckDB: Postgres writes CSV files, and DuckDB reads them. */

/** Replaces the facts of a span. */
export async function copyAgain(options: CopyOptions, ledger: Ledger, span: Span): Promise<void> {
  const { connection } = options;
  const [start, end] = span;
  const between = (column: string) =>
    [
      "true",
      ...(Number.isFinite(start) ? [`${column} >= TIMESTAMP '${timestamp(start)}'`] : []),
      ...(Number.isFinite(end) ? [`${column} < TIMESTAMP '${timestamp(end)}'`] : []),
    ].join(" AND ");
  await connection.run(`DELETE FROM event WHERE ${between("ts")}`);
  await connection.run(`DELETE FROM visit WHERE ${between("started")}`);
  await addEvents(options, ledger, span, null);
  await addVisits(options, ledger, span, null);
}

/** Columns that Postgres does not write. */
const FOUND_HERE: ReadonlySet<string> = new Set(["day", "view"]);
const EVENT_COLUMNS = columnsOf("event");
/** The page view of a web vitals report, as a hash: reports only compare whether two are the same. */
const VIEW_ID = "json_extract_string(props, '$.view')";
const VIEW = `CASE WHEN type = ${EVENT_TYPES.vitals} AND ${VIEW_ID} IS NOT NULL THEN hash(${VIEW_ID}) END AS view`;
const VISIT_COLUMNS = columnsOf("visit");

/** @returns the span of local days of the events, none without any. */
export function addEvents(options: CopyOptions, ledger: Ledger, span: Span, unseen: string | null): Promise<Span[]> {
  return load(
    options,
    (file) => ledger.events(file, span, unseen),
    async (file) => {
      const { touched, table } = await days(options, "event", file);
      await options.connection.run(
        `INSERT INTO event BY NAME SELECT fact.* REPLACE (CAST(props AS MAP(VARCHAR, VARCHAR)) AS props), day, ${VIEW}
         FROM ${csv(file, { ...EVENT_COLUMNS, props: "JSON" })} AS fact ASOF JOIN ${table} ON fact.ts >= days.start
         ORDER BY day, type, name, visit_id, ts`,
      );
      return [touched];
    },
  );
}

/** Adds visits and replaces known ones, which may have continued. @returns as `addEvents`. */
export function addVisits(options: CopyOptions, ledger: Ledger, span: Span, unseen: string | null): Promise<Span[]> {
  return load(
    options,
    (file) => ledger.visits(file, span, unseen),
    async (file) => {
      const found = csv(file, VISIT_COLUMNS);
      const { touched, table } = await days(options, "visit", file);
      if (unseen) await options.connection.run(`DELETE FROM visit WHERE visit_id IN (SELECT visit_id FROM ${found})`);
      await options.connection.run(
        `INSERT INTO visit BY NAME SELECT fact.*, day
         FROM ${found} AS fact ASOF JOIN ${table} ON fact.started >= days.start
         ORDER BY day, started`,
      );
      return [touched];
    },
  );
}

/** SQL for a table of the local days of a file's facts, and their span, by the time zone rules of this process. */
async function days({ connection, timezone }: CopyOptions, table: "event" | "visit", file: string) {
  const column = table === "event" ? "ts" : "started";
  const found = csv(file, table === "event" ? { ...EVENT_COLUMNS, props: "JSON" } : VISIT_COLUMNS);
  const reader = await connection.runAndReadAll(
    `SELECT epoch_ms(min(${column})) AS first, epoch_ms(max(${column})) AS last FROM ${found}`,
  );
  const [[first, last] = []] = reader.getRowsJS();
  const start = startOfDay(localDay(new Date(Number(first)), timezone), timezone);
  const starts = dayStarts({ start, end: new Date(Number(last) + 1), timezone });
  const numbers = dayNumbers(starts, timezone);
  const values = starts.map((at, index) => `(TIMESTAMP '${timestamp(at.getTime())}', ${numbers[index]})`);
  const touched: Span = [numbers[0] as number, (numbers.at(-1) as number) + 1];
  return { touched, table: `(VALUES ${values.join(", ")}) AS days(start, day)` };
}

/** Copies the dictionary values that the facts use and the copy lacks, and all newer ones. */
export async function addWords(options: CopyOptions, ledger: Ledger): Promise<void> {
  for (const dictionary of dictionaries) {
    const reader = await options.connection.runAndReadAll(
      `SELECT coalesce(max(id), 0), (SELECT list(DISTINCT used.id) FROM (${USED_IDS[dictionary]}) AS used(id)
         WHERE used.id NOT IN (SELECT id FROM ${dictionary})) FROM ${dictionary}`,
    );
    const [[newest = 0, missing] = []] = reader.getRowsJS() as [number, number[] | null][];
    const ids = (missing ?? []).filter((id) => id < Number(newest));
    const chosen = `(id > ${Number(newest)}${ids.length > 0 ? ` OR id IN (${ids.map(Number).join(", ")})` : ""})`;
    await copyWords(options, ledger, dictionary, chosen);
  }
}

/** Only recent days can use missing values, because the first copy includes all values. */
const RECENT = "day >= (SELECT max(day) - 3 FROM event)";
const USED_IDS: Record<Dictionary, string> = {
  page: `SELECT page FROM event WHERE ${RECENT}`,
  name: `SELECT name FROM event WHERE ${RECENT}`,
  referrer: `SELECT referrer FROM event WHERE ${RECENT}`,
  campaign: `SELECT campaign FROM event WHERE ${RECENT}`,
  place: `SELECT place FROM event WHERE ${RECENT}`,
  agent: `SELECT agent FROM event WHERE ${RECENT}`,
};

export async function copyDictionaries(options: CopyOptions, ledger: Ledger): Promise<void> {
  const unknown = dictionaries.map((dictionary) => {
    const words = DICTIONARIES[dictionary];
    return `DELETE FROM ${dictionary}; INSERT INTO ${dictionary} VALUES (0${", ''".repeat(words.length)})`;
  });
  await options.connection.run(unknown.join("; "));
  for (const dictionary of dictionaries) await copyWords(options, ledger, dictionary, "id > 0");
}

const copyWords = (options: CopyOptions, ledger: Ledger, dictionary: Dictionary, chosen: string): Promise<Span[]> =>
  load(
    options,
    (file) => ledger.words(file, dictionary, DICTIONARIES[dictionary], chosen),
    async (file) => {
      const words = `SELECT * ${dictionary === "page" ? merged(options, "path") : ""} FROM ${csv(file, columnsOf(dictionary))}`;
      await options.connection.run(`INSERT INTO ${dictionary} ${words}`);
      return [];
    },
  );

/** SQL that leaves out the slashes at the end of paths, if the copy has none. */
const merged = ({ mergeSlashes }: CopyOptions, column: string, where = "true"): string =>
  mergeSlashes
    ? `REPLACE (CASE WHEN ${where} THEN regexp_replace(${column}, '${TRAILING_SLASHES}', '\\1\\2') ELSE ${column} END AS ${column})`
    : "";

export async function copyImported(options: CopyOptions, ledger: Ledger): Promise<void> {
  await options.connection.run("DELETE FROM imported");
  await load(
    options,
    (file) => ledger.imported(file),
    async (file) => {
      const ofPages = `dimension IN (${options.derived.pageDimensions.join(", ")})`;
      await options.connection.run(
        `INSERT INTO imported SELECT * ${merged(options, "word", ofPages)} FROM ${csv(file, columnsOf("imported"))}`,
      );
      return [];
    },
  );
}

/** Lets Postgres write a file and DuckDB read it. @returns what `read` returns; empty for a file without rows. */
async function load(
  { temporary }: CopyOptions,
  write: (file: string) => Promise<number>,
  read: (file: string) => Promise<Span[]>,
): Promise<Span[]> {
  const file = path.join(temporary, `${randomUUID()}.csv`);
  try {
    return (await write(file)) > 0 ? await read(file) : [];
  } finally {
    await rm(file, { force: true });
  }
}

type Columns = Record<string, string>;

/** The columns of a table as Postgres writes them. */
function columnsOf(table: Table): Columns {
  const pairs = TABLES[table].split(/,\s*(?![^(]*\))/).map((column) => {
    const [name = "", ...type] = column.trim().split(" ");
    return [name, type.join(" ")] as const;
  });
  return Object.fromEntries(pairs.filter(([name]) => !FOUND_HERE.has(name) || table === "imported"));
}

const csv = (file: string, columns: Columns): string => {
  const types = Object.entries(columns).map(([name, type]) => `'${name}': '${type}'`);
  return `read_csv('${file.replaceAll("'", "''")}', header = false, auto_detect = false, delim = ',', quote = '"', escape = '"',
    nullstr = '', allow_quoted_nulls = false, columns = {${types.join(", ")}})`;
};

const timestamp = (at: number): string => new Date(at).toISOString().replace("T", " ").replace("Z", "");
