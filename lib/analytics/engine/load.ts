import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { dayNumbers, dayStarts } from "@/lib/analytics/calendar/buckets";
import type { CopyOptions } from "@/lib/analytics/engine/copy-options";
import { ALL_TIME, type FactsSnapshot, type Span } from "@/lib/analytics/engine/facts-snapshot";
import { type CopiedTable, TABLES, type Table, valueColumns } from "@/lib/analytics/engine/schema";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { type DictionaryName, dictionaryNames, idColumns, VISIT_SPAN_MS } from "@/lib/ingest/event/catalogue";
import { TRAILING_SLASHES } from "@/lib/platform/canonical";
import { DAY_MS } from "@/lib/platform/durations";
import { localDay, startOfDay } from "@/lib/platform/time";

/** Copies facts from Postgres to DuckDB: Postgres writes CSV files, and DuckDB reads them. */

/** The facts of a span in files. */
interface WrittenFacts {
  span: Span;
  /** The file of each table; null without a row. */
  files: Record<CopiedTable, string | null>;
}

/** Lets Postgres write the facts of a span to files. */
export async function writeFacts(
  { temporary }: CopyOptions,
  snapshot: FactsSnapshot,
  span: Span,
): Promise<WrittenFacts> {
  const files: WrittenFacts["files"] = { event: null, visit: null };
  const write = { event: snapshot.events, visit: snapshot.visits };
  try {
    for (const table of ["event", "visit"] as const) {
      const file = newFile(temporary);
      if ((await write[table].call(snapshot, file, span)) > 0) files[table] = file;
      else await rm(file, { force: true });
    }
  } catch (error) {
    await removeFacts({ span, files });
    throw error;
  }
  return { span, files };
}

export async function removeFacts({ files }: WrittenFacts): Promise<void> {
  for (const file of Object.values(files)) if (file) await rm(file, { force: true });
}

/** Adds written facts. */
export async function addFacts(options: CopyOptions, { span, files }: WrittenFacts): Promise<void> {
  for (const table of ["event", "visit"] as const) {
    const file = files[table];
    if (file) await insert(options, table, csvOf(table, file), span);
  }
}

/** Deletes the facts of a span. */
export async function removeSpan({ connection }: CopyOptions, [start, end]: Span): Promise<void> {
  const between = (column: string) =>
    [
      "true",
      ...(Number.isFinite(start) ? [`${column} >= TIMESTAMP '${timestamp(start)}'`] : []),
      ...(Number.isFinite(end) ? [`${column} < TIMESTAMP '${timestamp(end)}'`] : []),
    ].join(" AND ");
  await connection.run(`DELETE FROM event WHERE ${between("ts")}`);
  await connection.run(`DELETE FROM visit WHERE ${between("started")}`);
}

/**
 * Adds the events after a number, and replaces the visits that they begin or continue. Reads no other facts, but those of the
 * days of these visits.
 *
 * @param without spans whose facts are copied again.
 * @returns the local days of these facts.
 */
export async function addNew(
  options: CopyOptions,
  snapshot: FactsSnapshot,
  number: number,
  without: readonly Span[],
): Promise<number[]> {
  const { connection } = options;
  const events = await addFresh(options, "event", (file) => snapshot.newEvents(file, number, without));
  const visits = await addFresh(
    options,
    "visit",
    (file) => snapshot.visitsOfNew(file, number),
    () =>
      // A late event may have moved the beginning of its visit, but not by more than a visit lasts.
      connection.run(
        `DELETE FROM visit USING (SELECT min(started) - to_milliseconds(${VISIT_SPAN_MS}) AS first,
           max(started) + to_milliseconds(${VISIT_SPAN_MS}) AS last FROM fresh_visit) AS around
         WHERE started BETWEEN first AND last AND visit_id IN (SELECT visit_id FROM fresh_visit)`,
      ),
  );
  if (events.length > 0) await addMissingValues(options, snapshot, "event");
  if (visits.length > 0) await addMissingValues(options, snapshot, "visit");
  return [...events, ...visits];
}

/**
 * Adds facts that Postgres writes to a file, by a temporary table `fresh_event` or `fresh_visit`.
 *
 * @param prepare called before they are added.
 * @returns their local days.
 */
async function addFresh(
  options: CopyOptions,
  table: CopiedTable,
  write: (file: string) => Promise<number>,
  prepare?: () => Promise<unknown>,
): Promise<number[]> {
  const { connection } = options;
  const fresh = `fresh_${table}`;
  let days: number[] = [];
  await throughFile(options, write, async (file) => {
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${fresh} AS FROM ${csvOf(table, file)}`);
    await prepare?.();
    const day = await insert(options, table, fresh);
    const reader = await connection.runAndReadAll(`SELECT DISTINCT ${day} FROM ${fresh} AS fact`);
    days = reader.getRowsJS().map(([one]) => Number(one));
  });
  return days;
}

/** Columns that Postgres does not write. */
const FOUND_HERE: ReadonlySet<string> = new Set(["day", "view"]);
/** The page view of a web vitals report, as a hash: reports only compare whether two are the same. */
const VIEW_ID = "json_extract_string(props, '$.view')";
const VIEW = `CASE WHEN type = ${EVENT_TYPES.vitals} AND ${VIEW_ID} IS NOT NULL THEN hash(${VIEW_ID}) END AS view`;

/**
 * Adds facts with their local days, sorted as reports read them.
 *
 * @param facts SQL for a table of facts. @param span of the facts; looked up where it is unbounded.
 * @returns SQL for the local day of a fact, called `fact`.
 */
async function insert(options: CopyOptions, table: CopiedTable, facts: string, span = ALL_TIME): Promise<string> {
  const day = await localDayOfFact(options, table, facts, span);
  const [columns, order] =
    table === "event"
      ? [`fact.* REPLACE (CAST(props AS MAP(VARCHAR, VARCHAR)) AS props), ${VIEW}`, "day, type, name, visit_id, ts"]
      : ["fact.*", "day, started"];
  await options.connection.run(
    `INSERT INTO ${table} BY NAME SELECT ${columns}, ${day} AS day FROM ${facts} AS fact ORDER BY ${order}`,
  );
  return day;
}

/** Returns SQL for the facts in a file. */
function csvOf(table: CopiedTable, file: string): string {
  const columns = copiedColumns(table);
  return csv(file, table === "event" ? { ...columns, props: "JSON" } : columns);
}

/** Returns SQL for the local day of a fact, called `fact`, by the time zone rules of this process. */
async function localDayOfFact(
  { connection, timezone }: CopyOptions,
  table: CopiedTable,
  facts: string,
  span: Span,
): Promise<string> {
  const column = table === "event" ? "ts" : "started";
  let [first, end] = span;
  if (!Number.isFinite(first) || !Number.isFinite(end)) {
    const reader = await connection.runAndReadAll(
      `SELECT epoch_ms(min(${column})), epoch_ms(max(${column})) FROM ${facts}`,
    );
    const [earliest = 0, latest = 0] = (reader.getRowsJS()[0] ?? []).map(Number);
    [first, end] = [earliest, latest + 1];
  }
  const start = startOfDay(localDay(new Date(first), timezone), timezone);
  const starts = dayStarts({ start, end: new Date(end), timezone });
  const numbers = dayNumbers(starts, timezone);
  return daySql(
    `fact.${column}`,
    starts.map((at, index) => [at.getTime(), numbers[index] as number]),
  );
}

/**
 * Returns SQL for the day of a moment. Days that follow each other after 24 hours are counted, because looking each moment
 * up takes as long as all else.
 *
 * @param days the beginnings of days and their numbers, in order.
 */
function daySql(moment: string, days: readonly (readonly [start: number, number: number])[]): string {
  const runs: { start: number; first: number; last: number }[] = [];
  for (const [index, [start, number]] of days.entries()) {
    const before = days[index - 1];
    const run = runs.at(-1);
    if (run && before && start - before[0] === DAY_MS && number - before[1] === 1) run.last = number;
    else runs.push({ start, first: number, last: number });
  }
  // The last day of a run may be longer.
  const cases = runs.map(
    ({ start, first, last }) =>
      `WHEN ${moment} >= TIMESTAMP '${timestamp(start)}' THEN least(${last}, ${first} + (epoch_ms(${moment}) - ${start}) // ${DAY_MS})`,
  );
  return `(CASE ${cases.reverse().join(" ")} END)::INTEGER`;
}

/** Their ids stand in a statement. */
const VALUES_AT_ONCE = 5_000;

/** Copies the dictionary values that `fresh_event` or `fresh_visit` uses and the copy lacks. */
async function addMissingValues(options: CopyOptions, snapshot: FactsSnapshot, table: CopiedTable): Promise<void> {
  const missing = dictionaryNames.flatMap((dictionary) => {
    const used = idColumns(table, dictionary).map((column) => `SELECT ${column} AS id FROM fresh_${table}`);
    if (used.length === 0) return [];
    return `SELECT '${dictionary}', list(DISTINCT id) FROM (${used.join(" UNION ALL ")}) WHERE id NOT IN (SELECT id FROM ${dictionary})`;
  });
  const reader = await options.connection.runAndReadAll(missing.join(" UNION ALL "));
  for (const [dictionary, ids] of reader.getRowsJS() as [DictionaryName, number[] | null][])
    for (let from = 0; ids !== null && from < ids.length; from += VALUES_AT_ONCE) {
      const some = ids.slice(from, from + VALUES_AT_ONCE).map(Number);
      await copyValues(options, snapshot, dictionary, `id IN (${some.join(", ")})`);
    }
}

export async function copyDictionaries(options: CopyOptions, snapshot: FactsSnapshot): Promise<void> {
  const unknown = dictionaryNames.map((dictionary) => {
    const columns = valueColumns(dictionary);
    return `DELETE FROM ${dictionary}; INSERT INTO ${dictionary} VALUES (0${", ''".repeat(columns.length)})`;
  });
  await options.connection.run(unknown.join("; "));
  for (const dictionary of dictionaryNames) await copyValues(options, snapshot, dictionary, "id > 0");
}

const copyValues = (
  options: CopyOptions,
  snapshot: FactsSnapshot,
  dictionary: DictionaryName,
  chosen: string,
): Promise<void> =>
  throughFile(
    options,
    (file) => snapshot.dictionaryValues(file, dictionary, valueColumns(dictionary), chosen),
    async (file) => {
      const values = `SELECT * ${dictionary === "page" ? merged(options, "path") : ""} FROM ${csv(file, copiedColumns(dictionary))}`;
      await options.connection.run(`INSERT INTO ${dictionary} ${values}`);
    },
  );

/** SQL that leaves out the slashes at the end of paths, if the copy has none. */
const merged = ({ mergeSlashes }: CopyOptions, column: string, where = "true"): string =>
  mergeSlashes
    ? `REPLACE (CASE WHEN ${where} THEN regexp_replace(${column}, '${TRAILING_SLASHES}', '\\1\\2') ELSE ${column} END AS ${column})`
    : "";

export async function copyImported(options: CopyOptions, snapshot: FactsSnapshot): Promise<void> {
  await options.connection.run("DELETE FROM imported");
  await throughFile(
    options,
    (file) => snapshot.imported(file),
    async (file) => {
      const ofPages = `dimension IN (${options.derived.pageDimensions.join(", ")})`;
      await options.connection.run(
        `INSERT INTO imported SELECT * ${merged(options, "word", ofPages)} FROM ${csv(file, copiedColumns("imported"))}`,
      );
    },
  );
}

/** Lets Postgres write a file, and calls `read` if it has rows. */
async function throughFile(
  { temporary }: CopyOptions,
  write: (file: string) => Promise<number>,
  read: (file: string) => Promise<void>,
): Promise<void> {
  const file = newFile(temporary);
  try {
    if ((await write(file)) > 0) await read(file);
  } finally {
    await rm(file, { force: true });
  }
}

const newFile = (folder: string): string => path.join(folder, `${randomUUID()}.csv`);

type CopiedColumns = Record<string, string>;

/** The columns of a table as Postgres writes them. */
function copiedColumns(table: Table): CopiedColumns {
  const pairs = TABLES[table].split(/,\s*(?![^(]*\))/).map((column) => {
    const [name = "", ...type] = column.trim().split(" ");
    return [name, type.join(" ")] as const;
  });
  return Object.fromEntries(pairs.filter(([name]) => !FOUND_HERE.has(name) || table === "imported"));
}

const csv = (file: string, columns: CopiedColumns): string => {
  const types = Object.entries(columns).map(([name, type]) => `'${name}': '${type}'`);
  return `read_csv('${file.replaceAll("'", "''")}', header = false, auto_detect = false, delim = ',', quote = '"', escape = '"',
    nullstr = '', allow_quoted_nulls = false, columns = {${types.join(", ")}})`;
};

const timestamp = (at: number): string => new Date(at).toISOString().replace("T", " ").replace("Z", "");
