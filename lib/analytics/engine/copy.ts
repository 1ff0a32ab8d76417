import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type pg from "pg";
import { dayNumbers, dayStarts } from "@/lib/analytics/buckets";
import { isBefore, Ledger, LONGEST_VISIT_MS, LONGEST_WRITE_MS, type Span } from "@/lib/analytics/engine/ledger";
import {
  DICTIONARIES,
  type Dictionary,
  dictionaries,
  SCHEMA_VERSION,
  TABLES,
  type Table,
} from "@/lib/analytics/engine/schema";

/** Keeps the copy of one site's facts in DuckDB as Postgres has them. */

const DAY_MS = 24 * 3600_000;
/** With more events than these a site is copied week by week, so that its progress can be told. */
const MANY_EVENTS = 200_000;
const PART_DAYS = 7;
/** A copy that nobody has looked at for so long is made anew: what has changed since is not known any more. */
const LONGEST_UNSEEN_MS = 14 * DAY_MS;

/** What a file says of itself. */
interface State {
  version: number;
  installation: string;
  timezone: string;
  /** What the copy has seen of Postgres; null while the first copying goes on. */
  snapshot: string | null;
  /** When that was, in epoch milliseconds by the clock of Postgres. */
  seenAt: number;
}

export interface CopyOptions {
  connection: DuckDBConnection;
  pool: pg.Pool;
  siteId: number;
  timezone: string;
  /** Names the database that files are copies of. */
  installation: string;
  /** A folder for files that are read at once and removed. */
  temporary: string;
  /** Called with the share that is copied, from 0 to 1. */
  progress?: (share: number) => void;
}

/** Brings the copy up to the present. The connection is in the site's file, and nobody else writes there. */
export async function refresh(options: CopyOptions): Promise<void> {
  const { pool, siteId } = options;
  const state = await readState(options);
  const fits =
    state?.version === SCHEMA_VERSION &&
    state.installation === options.installation &&
    state.timezone === options.timezone &&
    state.snapshot !== null &&
    Date.now() - state.seenAt < LONGEST_UNSEEN_MS;
  if (!state || !fits) return build(options);
  const { snapshot, seenAt } = state;
  await Ledger.read(pool, siteId, async (ledger) => {
    if (isBefore(ledger.snapshot, snapshot as string)) return build(options, ledger);
    const changes = await ledger.changesSince(snapshot as string);
    if (changes.some(({ start, end }) => !start && !end)) return build(options, ledger);
    await inTransaction(options.connection, async () => {
      const since = new Date(seenAt - LONGEST_WRITE_MS);
      await addEvents(options, ledger, { start: since, end: null }, snapshot);
      await addVisits(options, ledger, { start: new Date(since.getTime() - LONGEST_VISIT_MS), end: null }, snapshot);
      for (const span of joined(changes)) await copyAgain(options, ledger, span);
      if (changes.length > 0) {
        await copyDictionaries(options, ledger);
        await copyImported(options, ledger);
      } else {
        await addWords(options, ledger);
      }
      await writeState(options, { snapshot: ledger.snapshot, seenAt: ledger.at.getTime() });
    });
  });
}

/** Copies everything. */
async function build(options: CopyOptions, seen?: Ledger): Promise<void> {
  if (!seen) return Ledger.read(options.pool, options.siteId, (ledger) => build(options, ledger));
  const { connection, progress } = options;
  await inTransaction(connection, async () => {
    for (const [table, columns] of Object.entries(TABLES)) {
      await connection.run(`CREATE OR REPLACE TABLE ${table} (${columns})`);
    }
    await connection.run(`CREATE OR REPLACE TABLE state (
      version INTEGER, installation VARCHAR, timezone VARCHAR, snapshot VARCHAR, seen_at BIGINT)`);
    await connection.run("INSERT INTO state VALUES ($1, $2, $3, NULL, 0)", [
      SCHEMA_VERSION,
      options.installation,
      options.timezone,
    ]);
  });
  progress?.(0);
  const first = await seen.firstFact();
  const parts = first ? partsSince(first, seen.at, await seen.hasMoreEvents(MANY_EVENTS)) : [];
  for (const [index, part] of parts.entries()) {
    await inTransaction(connection, async () => {
      await addEvents(options, seen, part, null);
      await addVisits(options, seen, part, null);
    });
    progress?.((index + 1) / (parts.length + 1));
  }
  await inTransaction(connection, async () => {
    await copyDictionaries(options, seen);
    await copyImported(options, seen);
    await writeState(options, { snapshot: seen.snapshot, seenAt: seen.at.getTime() });
  });
  progress?.(1);
}

function partsSince(first: Date, now: Date, isLarge: boolean): Span[] {
  if (!isLarge) return [{ start: null, end: null }];
  const starts: Date[] = [];
  for (let at = first.getTime(); at < now.getTime(); at += PART_DAYS * DAY_MS) starts.push(new Date(at));
  return starts.map((start, index) => ({ start: index > 0 ? start : null, end: starts[index + 1] ?? null }));
}

/** Removes the facts of a span and copies what Postgres has there. */
async function copyAgain(options: CopyOptions, ledger: Ledger, span: Span): Promise<void> {
  const { connection } = options;
  const between = (column: string) =>
    [
      "true",
      ...(span.start ? [`${column} >= TIMESTAMP '${timestamp(span.start)}'`] : []),
      ...(span.end ? [`${column} < TIMESTAMP '${timestamp(span.end)}'`] : []),
    ].join(" AND ");
  await connection.run(`DELETE FROM event WHERE ${between("ts")}`);
  await connection.run(`DELETE FROM visit WHERE ${between("started")}`);
  await addEvents(options, ledger, span, null);
  await addVisits(options, ledger, span, null);
}

const EVENT_COLUMNS = columnsOf("event");
const VISIT_COLUMNS = columnsOf("visit");

function addEvents(options: CopyOptions, ledger: Ledger, span: Span, unseen: string | null): Promise<void> {
  return load(
    options,
    (file) => ledger.events(file, span, unseen),
    async (file) => {
      await options.connection.run(
        `INSERT INTO event BY NAME SELECT fact.* REPLACE (CAST(props AS MAP(VARCHAR, VARCHAR)) AS props), day
         FROM ${csv(file, { ...EVENT_COLUMNS, props: "JSON" })} AS fact ASOF JOIN ${await days(options, ledger, "event", file)} ON fact.ts >= days.start
         ORDER BY day, visit_id, ts`,
      );
    },
  );
}

/** Visits are replaced: those that were known may have gone on. */
function addVisits(options: CopyOptions, ledger: Ledger, span: Span, unseen: string | null): Promise<void> {
  return load(
    options,
    (file) => ledger.visits(file, span, unseen),
    async (file) => {
      const found = csv(file, VISIT_COLUMNS);
      if (unseen) await options.connection.run(`DELETE FROM visit WHERE visit_id IN (SELECT visit_id FROM ${found})`);
      await options.connection.run(
        `INSERT INTO visit BY NAME SELECT fact.*, day
         FROM ${found} AS fact ASOF JOIN ${await days(options, ledger, "visit", file)} ON fact.started >= days.start
         ORDER BY day, started`,
      );
    },
  );
}

/** SQL for a table of the local days that facts of a file lie in. The zone rules of this process decide. */
async function days(
  { connection, timezone }: CopyOptions,
  ledger: Ledger,
  table: "event" | "visit",
  file: string,
): Promise<string> {
  const [column, columns] =
    table === "event" ? (["ts", EVENT_COLUMNS] as const) : (["started", VISIT_COLUMNS] as const);
  const found = csv(file, table === "event" ? { ...columns, props: "JSON" } : columns);
  const reader = await connection.runAndReadAll(
    `SELECT epoch_ms(min(${column})) AS first, epoch_ms(max(${column})) AS last FROM ${found}`,
  );
  const [[first, last] = []] = reader.getRowsJS();
  const start = new Date(Number(first ?? ledger.at.getTime()) - 2 * DAY_MS);
  const starts = dayStarts({ start, end: new Date(Number(last ?? ledger.at.getTime()) + 1), timezone });
  const numbers = dayNumbers(starts, timezone);
  const values = starts.map((at, index) => `(TIMESTAMP '${timestamp(at)}', ${numbers[index]})`);
  return `(VALUES ${values.join(", ")}) AS days(start, day)`;
}

/** The words that facts of the copy have and its dictionaries have not, and all newer ones. */
async function addWords(options: CopyOptions, ledger: Ledger): Promise<void> {
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

/** Only words of recent days can be missing: a copy begins with all of them. */
const RECENT = "day >= (SELECT max(day) - 3 FROM event)";
const USED_IDS: Record<Dictionary, string> = {
  page: `SELECT page FROM event WHERE ${RECENT}`,
  name: `SELECT name FROM event WHERE ${RECENT}`,
  referrer: `SELECT referrer FROM event WHERE ${RECENT}`,
  campaign: `SELECT campaign FROM event WHERE ${RECENT}`,
  place: `SELECT place FROM event WHERE ${RECENT}`,
  agent: `SELECT agent FROM event WHERE ${RECENT}`,
};

async function copyDictionaries(options: CopyOptions, ledger: Ledger): Promise<void> {
  for (const dictionary of dictionaries) {
    const words = DICTIONARIES[dictionary];
    await options.connection.run(`DELETE FROM ${dictionary}`);
    await options.connection.run(`INSERT INTO ${dictionary} VALUES (0${", ''".repeat(words.length)})`);
    await copyWords(options, ledger, dictionary, "id > 0");
  }
}

const copyWords = (options: CopyOptions, ledger: Ledger, dictionary: Dictionary, chosen: string): Promise<void> =>
  load(
    options,
    (file) => ledger.words(file, dictionary, DICTIONARIES[dictionary], chosen),
    async (file) => {
      await options.connection.run(`INSERT INTO ${dictionary} SELECT * FROM ${csv(file, columnsOf(dictionary))}`);
    },
  );

async function copyImported(options: CopyOptions, ledger: Ledger): Promise<void> {
  await options.connection.run("DELETE FROM imported");
  await load(
    options,
    (file) => ledger.imported(file),
    async (file) => {
      await options.connection.run(`INSERT INTO imported SELECT * FROM ${csv(file, columnsOf("imported"))}`);
    },
  );
}

/** Has Postgres write a file and DuckDB read it, unless it has no rows. */
async function load(
  { temporary }: CopyOptions,
  write: (file: string) => Promise<number>,
  read: (file: string) => Promise<void>,
): Promise<void> {
  const file = path.join(temporary, `${randomUUID()}.csv`);
  try {
    if ((await write(file)) > 0) await read(file);
  } finally {
    await rm(file, { force: true });
  }
}

type Columns = Record<string, string>;

/** The columns of a table as Postgres writes them: without the day, which is found here. */
function columnsOf(table: Table): Columns {
  const pairs = TABLES[table].split(/,\s*(?![^(]*\))/).map((column) => {
    const [name = "", ...type] = column.trim().split(" ");
    return [name, type.join(" ")] as const;
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== "day" || table === "imported"));
}

const csv = (file: string, columns: Columns): string => {
  const types = Object.entries(columns).map(([name, type]) => `'${name}': '${type}'`);
  return `read_csv('${file.replaceAll("'", "''")}', header = false, auto_detect = false, delim = ',', quote = '"', escape = '"',
    nullstr = '', allow_quoted_nulls = false, columns = {${types.join(", ")}})`;
};

const timestamp = (at: Date): string => at.toISOString().replace("T", " ").replace("Z", "");

async function readState({ connection }: CopyOptions): Promise<State | null> {
  const tables = await connection.runAndReadAll(
    "SELECT 1 FROM duckdb_tables() WHERE database_name = current_database() AND table_name = 'state'",
  );
  if (tables.getRowsJS().length === 0) return null;
  const reader = await connection.runAndReadAll("SELECT version, installation, timezone, snapshot, seen_at FROM state");
  const [row] = reader.getRowsJS();
  if (!row) return null;
  const [version, installation, timezone, snapshot, seenAt] = row;
  return {
    version: Number(version),
    installation: String(installation),
    timezone: String(timezone),
    snapshot: snapshot === null ? null : String(snapshot),
    seenAt: Number(seenAt),
  };
}

async function writeState({ connection }: CopyOptions, { snapshot, seenAt }: Pick<State, "snapshot" | "seenAt">) {
  await connection.run("UPDATE state SET snapshot = $1, seen_at = $2", [snapshot, BigInt(seenAt)]);
}

async function inTransaction(connection: DuckDBConnection, work: () => Promise<void>): Promise<void> {
  await connection.run("BEGIN");
  try {
    await work();
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** Spans that overlap as one. They come in the order of their starts. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of spans) {
    const last = all.at(-1);
    const follows = last && (last.end === null || start === null || start <= last.end);
    if (!follows) all.push({ start, end });
    else if (last.end !== null && (end === null || end > last.end)) last.end = end;
  }
  return all;
}
