import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type pg from "pg";
import { dayNumber, dayNumbers, dayStarts } from "@/lib/analytics/buckets";
import { isBefore, Ledger, LONGEST_VISIT_MS, LONGEST_WRITE_MS, type Span } from "@/lib/analytics/engine/ledger";
import {
  DICTIONARIES,
  type Dictionary,
  dictionaries,
  SCHEMA_VERSION,
  TABLES,
  type Table,
} from "@/lib/analytics/engine/schema";
import { localDay, startOfDay } from "@/lib/time";

/** Keeps the copy of one site's facts in DuckDB as Postgres has them. */

const DAY_MS = 24 * 3600_000;
/** With more events than these a site is copied week by week, so that its progress can be told. */
const MANY_EVENTS = 200_000;
const PART_DAYS = 7;
/** A copy that nobody has looked at for so long is made anew: what has changed since is not known any more. */
const LONGEST_UNSEEN_MS = 14 * DAY_MS;

/** What a file says of itself. */
interface State {
  installation: string;
  timezone: string;
  /** What the copy has seen of Postgres; null while the first copying goes on. */
  snapshot: string | null;
  /** When that was, in epoch milliseconds by the clock of Postgres. */
  seenAt: number;
  /** The file may still hold what was erased. */
  erased: boolean;
  /** The last local day, by its number, up to which the rollup is made. */
  rolledUntil: number;
}

/** SQL that makes the rollup of some local days anew. */
export type RollUp = (first: number, last: number) => { sql: string; values: unknown[] }[];

export interface CopyOptions {
  connection: DuckDBConnection;
  pool: pg.Pool;
  siteId: number;
  timezone: string;
  /** Names the database that files are copies of. */
  installation: string;
  /** A folder for files that are read at once and removed. */
  temporary: string;
  rollUp: RollUp;
  /** The rollup is made of sites with so many events. */
  rollUpFrom: number;
  /** Called with the share that is copied, from 0 to 1. */
  progress?: (share: number) => void;
}

/** The copy cannot be brought up to date: a new file is needed. */
export class OutdatedCopy extends Error {}

/**
 * Brings the copy up to the present; an empty file is filled. The connection is in the site's file, and nobody else writes
 * there.
 *
 * @returns whether the file still holds what was erased, in parts of it that are not used any more.
 * @throws OutdatedCopy
 */
export async function refresh(options: CopyOptions): Promise<boolean> {
  const { pool, siteId } = options;
  const state = await readState(options);
  const fits =
    state &&
    state !== "foreign" &&
    state.installation === options.installation &&
    state.timezone === options.timezone &&
    state.snapshot !== null &&
    Date.now() - state.seenAt < LONGEST_UNSEEN_MS;
  if (!state) {
    await Ledger.read(pool, siteId, (ledger) => build(options, ledger));
    return false;
  }
  if (!fits) throw new OutdatedCopy();
  const { snapshot, seenAt, rolledUntil } = state;
  return Ledger.read(pool, siteId, async (ledger) => {
    if (isBefore(ledger.snapshot, snapshot as string)) throw new OutdatedCopy();
    const changes = await ledger.changesSince(snapshot as string);
    if (changes.some(({ start, end }) => !start && !end)) throw new OutdatedCopy();
    // From the beginning: a retention limit has erased facts and words.
    const erased = state.erased || changes.some(({ start }) => !start);
    await inTransaction(options.connection, async () => {
      const since = new Date(seenAt - LONGEST_WRITE_MS);
      const touched = [
        await addEvents(options, ledger, { start: since, end: null }, snapshot),
        await addVisits(options, ledger, { start: new Date(since.getTime() - LONGEST_VISIT_MS), end: null }, snapshot),
      ];
      for (const span of joined(changes)) {
        await copyAgain(options, ledger, span);
        touched.push(span.start ? dayOf(span.start, options.timezone) : Number.NEGATIVE_INFINITY);
      }
      if (changes.length > 0) {
        await copyDictionaries(options, ledger);
        await copyImported(options, ledger);
      } else {
        await addWords(options, ledger);
      }
      const closed = await rollClosedDays(options, ledger, Math.min(rolledUntil > 0 ? rolledUntil + 1 : 0, ...touched));
      await writeState(options, ledger, { rolledUntil: closed, erased });
    });
    return erased;
  });
}

/** A visit ends after half an hour of silence: what began before a midnight may go on for so long. */
const SETTLED_MS = 40 * 60_000;
/** So many days are rolled up by one statement, which takes memory for each. */
const ROLLED_DAYS = 14;

/**
 * Makes the rollup anew from a day on, unless the site has so few events that counting them is as fast.
 *
 * @returns the last day up to which it is made; 0 without a rollup.
 */
async function rollClosedDays(options: CopyOptions, ledger: Ledger, from: number): Promise<number> {
  const { connection, timezone, rollUp, rollUpFrom } = options;
  const last = dayOf(new Date(ledger.at.getTime() - SETTLED_MS), timezone) - 1;
  const counted = await connection.runAndReadAll("SELECT count(*) FROM event");
  if (Number(counted.getRowsJS()[0]?.[0]) < rollUpFrom) {
    await connection.run("DELETE FROM rollup");
    return 0;
  }
  const reader = await connection.runAndReadAll(
    `SELECT day FROM (SELECT day FROM event UNION SELECT day FROM visit UNION SELECT day FROM rollup)
     WHERE day BETWEEN $1 AND $2 ORDER BY day`,
    [Math.max(from, 0), last],
  );
  const days = reader.getRowsJS().map(([day]) => Number(day));
  for (let at = 0; at < days.length; at += ROLLED_DAYS) {
    const some = days.slice(at, at + ROLLED_DAYS);
    for (const { sql, values } of rollUp(some[0] as number, some.at(-1) as number)) {
      await connection.run(sql, values as never);
    }
  }
  return last;
}

/** A local day as the number of days since 1970-01-01. */
const dayOf = (at: Date, timezone: string): number => dayNumber(localDay(at, timezone));

/** Copies everything. */
async function build(options: CopyOptions, seen: Ledger): Promise<void> {
  const { connection, progress } = options;
  await inTransaction(connection, async () => {
    for (const [table, columns] of Object.entries(TABLES)) {
      await connection.run(`CREATE OR REPLACE TABLE ${table} (${columns})`);
    }
    await connection.run(`CREATE OR REPLACE TABLE state (
      version INTEGER, installation VARCHAR, timezone VARCHAR, snapshot VARCHAR, seen_at BIGINT, rolled_until INTEGER,
      erased BOOLEAN)`);
    await connection.run("INSERT INTO state VALUES ($1, $2, $3, NULL, 0, 0, false)", [
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
    const rolledUntil = await rollClosedDays(options, seen, 0);
    await writeState(options, seen, { rolledUntil, erased: false });
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

/** @returns the first local day of the events, Infinity without any. */
function addEvents(options: CopyOptions, ledger: Ledger, span: Span, unseen: string | null): Promise<number> {
  return load(
    options,
    (file) => ledger.events(file, span, unseen),
    async (file) => {
      const { first, table } = await days(options, "event", file);
      await options.connection.run(
        `INSERT INTO event BY NAME SELECT fact.* REPLACE (CAST(props AS MAP(VARCHAR, VARCHAR)) AS props), day
         FROM ${csv(file, { ...EVENT_COLUMNS, props: "JSON" })} AS fact ASOF JOIN ${table} ON fact.ts >= days.start
         ORDER BY day, visit_id, ts`,
      );
      return first;
    },
  );
}

/** Visits are replaced: those that were known may have gone on. @returns as `addEvents`. */
function addVisits(options: CopyOptions, ledger: Ledger, span: Span, unseen: string | null): Promise<number> {
  return load(
    options,
    (file) => ledger.visits(file, span, unseen),
    async (file) => {
      const found = csv(file, VISIT_COLUMNS);
      const { first, table } = await days(options, "visit", file);
      if (unseen) await options.connection.run(`DELETE FROM visit WHERE visit_id IN (SELECT visit_id FROM ${found})`);
      await options.connection.run(
        `INSERT INTO visit BY NAME SELECT fact.*, day
         FROM ${found} AS fact ASOF JOIN ${table} ON fact.started >= days.start
         ORDER BY day, started`,
      );
      return first;
    },
  );
}

/** SQL for a table of the local days that facts of a file lie in, and the first of them. The zone rules of this process decide. */
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
  const values = starts.map((at, index) => `(TIMESTAMP '${timestamp(at)}', ${numbers[index]})`);
  return { first: numbers[0] as number, table: `(VALUES ${values.join(", ")}) AS days(start, day)` };
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

const copyWords = (options: CopyOptions, ledger: Ledger, dictionary: Dictionary, chosen: string): Promise<number> =>
  load(
    options,
    (file) => ledger.words(file, dictionary, DICTIONARIES[dictionary], chosen),
    async (file) => {
      await options.connection.run(`INSERT INTO ${dictionary} SELECT * FROM ${csv(file, columnsOf(dictionary))}`);
      return 0;
    },
  );

async function copyImported(options: CopyOptions, ledger: Ledger): Promise<void> {
  await options.connection.run("DELETE FROM imported");
  await load(
    options,
    (file) => ledger.imported(file),
    async (file) => {
      await options.connection.run(`INSERT INTO imported SELECT * FROM ${csv(file, columnsOf("imported"))}`);
      return 0;
    },
  );
}

/** Has Postgres write a file and DuckDB read it, unless it has no rows. @returns what `read` does, Infinity without rows. */
async function load(
  { temporary }: CopyOptions,
  write: (file: string) => Promise<number>,
  read: (file: string) => Promise<number>,
): Promise<number> {
  const file = path.join(temporary, `${randomUUID()}.csv`);
  try {
    return (await write(file)) > 0 ? await read(file) : Number.POSITIVE_INFINITY;
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

async function readState({ connection }: CopyOptions): Promise<State | "foreign" | null> {
  const tables = await connection.runAndReadAll(
    "SELECT 1 FROM duckdb_tables() WHERE database_name = current_database() AND table_name = 'state'",
  );
  if (tables.getRowsJS().length === 0) return null;
  const written = await connection.runAndReadAll("SELECT version FROM state");
  const [[version] = []] = written.getRowsJS();
  if (version === undefined) return null;
  // What else is in a file of another version is not known.
  if (version !== SCHEMA_VERSION) return "foreign";
  const reader = await connection.runAndReadAll(
    "SELECT installation, timezone, snapshot, seen_at, rolled_until, erased FROM state",
  );
  const [installation, timezone, snapshot, seenAt, rolledUntil, erased] = reader.getRowsJS()[0] as unknown[];
  return {
    installation: String(installation),
    timezone: String(timezone),
    snapshot: snapshot === null ? null : String(snapshot),
    seenAt: Number(seenAt),
    rolledUntil: Number(rolledUntil),
    erased: erased === true,
  };
}

async function writeState(
  { connection }: CopyOptions,
  ledger: Ledger,
  { rolledUntil, erased }: Pick<State, "rolledUntil" | "erased">,
) {
  const values = [ledger.snapshot, BigInt(ledger.at.getTime()), rolledUntil, erased];
  await connection.run("UPDATE state SET snapshot = $1, seen_at = $2, rolled_until = $3, erased = $4", values);
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
