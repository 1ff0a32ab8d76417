import type { DuckDBConnection } from "@duckdb/node-api";
import type { CopyOptions } from "@/lib/analytics/engine/copy-options";
import { ALWAYS, joined, Ledger, LONGEST_VISIT_MS, LONGEST_WRITE_MS, type Span } from "@/lib/analytics/engine/ledger";
import { addEvents, addVisits, addWords, copyAgain, copyDictionaries, copyImported } from "@/lib/analytics/engine/load";
import { daysOf, pickMoney, rollClosedDays } from "@/lib/analytics/engine/rollup";
import { SCHEMA_VERSION, TABLES } from "@/lib/analytics/engine/schema";
import { isBefore } from "@/lib/analytics/engine/snapshot";
import { Fault } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";

/** Keeps the DuckDB copy of one site's facts in step with Postgres. */

const DAY_MS = 24 * 3600_000;
/** Sites with more events are copied week by week. */
const MANY_EVENTS = 200_000;
/** Sites with fewer events are copied within their first question, so they report no progress. */
const FEW_EVENTS = 10_000;
const PART_DAYS = 7;
/** An older copy is built again, because Postgres no longer has the list of its changes. */
const LONGEST_UNSEEN_MS = 14 * DAY_MS;
/** How far the clock of Postgres may have been set back. */
const LARGEST_CORRECTION_MS = 60_000;

/** The row that describes a file. */
interface State {
  installation: string;
  timezone: string;
  /** Whether its paths have no slash at their end. */
  mergeSlashes: boolean;
  /** The snapshot of Postgres that the copy contains; null until the first copy is complete. */
  snapshot: string | null;
  /** When the snapshot was taken, in epoch milliseconds by the clock of Postgres. */
  seenAt: number;
  /** Whether unused blocks of the file may still contain erased data. */
  erased: boolean;
  /** The last local day in the rollup, as a day number. */
  rolledUntil: number;
}

/** The copy cannot be refreshed and needs a new file. */
export class OutdatedCopy extends Fault {}

/**
 * Refreshes the copy, or fills an empty file. The connection uses the site's file and is its only writer.
 *
 * @returns whether unused blocks of the file still contain erased data.
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
    state.mergeSlashes === options.mergeSlashes &&
    state.snapshot !== null &&
    Date.now() - state.seenAt < LONGEST_UNSEEN_MS;
  if (!state) {
    await inTurnIfLong(options, () => Ledger.read(pool, siteId, (ledger) => build(options, ledger)));
    return false;
  }
  if (!fits) throw new OutdatedCopy();
  const { snapshot, seenAt, rolledUntil } = state;
  return Ledger.read(pool, siteId, async (ledger) => {
    if (isBefore(ledger.snapshot, snapshot as string)) throw new OutdatedCopy();
    // New events are looked for by their time. After a larger correction, some would lie before those looked at.
    if (ledger.at.getTime() < seenAt - LARGEST_CORRECTION_MS) throw new OutdatedCopy();
    const changes = joined(await ledger.changesSince(snapshot as string));
    if (changes.some(([start, end]) => start === ALWAYS[0] && end === ALWAYS[1])) throw new OutdatedCopy();
    // A change from the beginning is a retention limit that erased facts and dictionary values. Nothing else deletes single
    // facts of a site; anything that does must set this too.
    const erased = state.erased || changes.some(([start]) => start === ALWAYS[0]);
    const since = seenAt - LONGEST_WRITE_MS;
    await copyOldChanges(options, ledger, changes, since);
    await inTransaction(options.connection, async () => {
      const touched = await addEvents(options, ledger, [since, ALWAYS[1]], snapshot);
      // A visit begins and grows with its events only; any other change of one is in `changes` (ingest/store/changed-facts.ts).
      if (touched.length > 0)
        touched.push(...(await addVisits(options, ledger, [since - LONGEST_VISIT_MS, ALWAYS[1]], snapshot)));
      for (const [start, end] of changes) {
        if (end > since) await copyAgain(options, ledger, [Math.max(start, since), end]);
        touched.push(daysOf([start, end], options.timezone));
      }
      if (changes.length > 0) {
        await copyDictionaries(options, ledger);
        await copyImported(options, ledger);
      } else if (touched.length > 0) {
        await addWords(options, ledger);
      }
      // Without changes the state needs no update.
      if (touched.length === 0 && ledger.at.getTime() - seenAt <= REMEMBER_MS) return;
      await pickMoney(options, touched);
      const closed = await rollClosedDays(options, ledger, [
        ...touched,
        [rolledUntil > 0 ? rolledUntil + 1 : 0, ALWAYS[1]],
      ]);
      await writeState(options, ledger, { rolledUntil: closed, erased });
    });
    return erased;
  });
}

/** Long copies are built one after the other, so that refreshes of other sites find a connection. */
async function inTurnIfLong({ pool, siteId, inTurn, progress }: CopyOptions, work: () => Promise<void>): Promise<void> {
  const isLong = inTurn && (await Ledger.read(pool, siteId, (ledger) => ledger.hasMoreEvents(FEW_EVENTS)));
  if (!isLong) return work();
  progress?.(0);
  return inTurn(work);
}

/**
 * Copies changed spans before a moment again, each week in its own transaction, because a change may affect all facts.
 * Later facts are copied in the transaction of the state, so that none is added twice after a crash.
 */
async function copyOldChanges(options: CopyOptions, ledger: Ledger, changes: readonly Span[], until: number) {
  const old = changes.filter(([start]) => start < until);
  if (old.length === 0) return;
  const facts: Span = [(await ledger.firstFact()) ?? until, until];
  const parts = old.flatMap(([start, end]) => weeksOf([start, Math.min(end, until)], facts));
  const isShort = !(await ledger.hasMoreEvents(FEW_EVENTS));
  const progress = (share: number) => options.progress?.(isShort ? null : share);
  await inParts(options, parts, (part) => copyAgain(options, ledger, part), progress);
}

/** A refresh without changes updates the state at most this often. */
const REMEMBER_MS = 5 * 60_000;

const STATE = `version INTEGER, installation VARCHAR, timezone VARCHAR, merge_slashes BOOLEAN, snapshot VARCHAR,
  seen_at BIGINT, rolled_until INTEGER, erased BOOLEAN`;

/** Copies everything. */
async function build(options: CopyOptions, seen: Ledger): Promise<void> {
  const { connection } = options;
  const first = await seen.firstFact();
  options.progress?.((await seen.hasMoreEvents(FEW_EVENTS)) ? 0 : null);
  const isLarge = first !== null && (await seen.hasMoreEvents(MANY_EVENTS));
  const addFacts = async (part: Span) => {
    await addEvents(options, seen, part, null);
    await addVisits(options, seen, part, null);
  };
  const parts = isLarge ? weeksOf(ALWAYS, [first, seen.at.getTime()]) : [];
  if (isLarge) await inTransaction(connection, () => makeTables(options));
  await inParts(options, parts, addFacts, options.progress);
  // A small site is copied in one transaction, because each one waits for the disk.
  await inTransaction(connection, async () => {
    if (!isLarge) await makeTables(options);
    if (!isLarge && first !== null) await addFacts(ALWAYS);
    await copyDictionaries(options, seen);
    await copyImported(options, seen);
    await pickMoney(options, [ALWAYS]);
    const rolledUntil = await rollClosedDays(options, seen, [ALWAYS]);
    await writeState(options, seen, { rolledUntil, erased: false });
  });
}

/** Copies parts, each in its own transaction. The copy is incomplete until the caller writes the state. */
async function inParts(
  { connection }: CopyOptions,
  parts: readonly Span[],
  copy: (part: Span) => Promise<void>,
  progress?: (share: number) => void,
) {
  for (const [index, part] of parts.entries()) {
    progress?.(index / (parts.length + 1));
    await inTransaction(connection, () => copy(part));
  }
  if (parts.length > 0) progress?.(parts.length / (parts.length + 1));
}

async function makeTables({ connection, installation, timezone, mergeSlashes }: CopyOptions): Promise<void> {
  const tables = Object.entries({ ...TABLES, state: STATE });
  await connection.run(tables.map(([table, columns]) => `CREATE OR REPLACE TABLE ${table} (${columns})`).join("; "));
  const values = [SCHEMA_VERSION, installation, timezone, mergeSlashes];
  await connection.run("INSERT INTO state VALUES ($1, $2, $3, $4, NULL, 0, 0, false)", values);
}

/** The weeks of a span that have facts. The first and the last are unbounded where the span is. */
function weeksOf([start, end]: Span, [first, last]: Span): Span[] {
  const starts: number[] = [];
  for (let at = Math.max(start, first); at < Math.min(end, last); at += PART_DAYS * DAY_MS) starts.push(at);
  if (starts.length === 0) return [[start, end]];
  return starts.map((at, index) => [index > 0 ? at : start, starts[index + 1] ?? end]);
}

async function readState({ connection }: CopyOptions): Promise<State | "foreign" | null> {
  const written = await connection.runAndReadAll("SELECT version FROM state").catch((error) => {
    if (/^Catalog Error/.test(error.message)) return null;
    throw error;
  });
  if (!written) return null;
  const [[version] = []] = written.getRowsJS();
  if (version === undefined) return null;
  // A file of another version may have other columns.
  if (version !== SCHEMA_VERSION) return "foreign";
  const reader = await connection.runAndReadAll(
    "SELECT installation, timezone, merge_slashes, snapshot, seen_at, rolled_until, erased FROM state",
  );
  const [installation, timezone, mergeSlashes, snapshot, seenAt, rolledUntil, erased] =
    reader.getRowsJS()[0] as unknown[];
  return {
    installation: String(installation),
    timezone: String(timezone),
    mergeSlashes: mergeSlashes === true,
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
    await connection.run("ROLLBACK").catch((fault) => log.debug(describeError(fault), "a copy was not rolled back"));
    throw error;
  }
}
