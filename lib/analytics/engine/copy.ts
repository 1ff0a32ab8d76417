import type { DuckDBConnection } from "@duckdb/node-api";
import type { CopyOptions } from "@/lib/analytics/engine/copy-options";
import {
  ALL_TIME,
  FactsSnapshot,
  joined,
  readNumbers,
  type SequenceNumbers,
  type Span,
} from "@/lib/analytics/engine/facts-snapshot";
import {
  addFacts,
  addNew,
  copyDictionaries,
  copyImported,
  removeFacts,
  removeSpan,
  writeFacts,
} from "@/lib/analytics/engine/load";
import { daysOf, lastClosedDay, pickMoney, rollClosedDays } from "@/lib/analytics/engine/rollup";
import { SCHEMA_VERSION, SQL_VIEWS, TABLES } from "@/lib/analytics/engine/schema";
import { DAY_MS } from "@/lib/platform/durations";
import { Fault } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";

/** Keeps the DuckDB copy of one site's facts in step with Postgres. */

/** A part of a first copy ends with the day that reaches this: memory grows with its events, and each part waits for the disk. */
const PART_EVENTS = 750_000;
/** Sites with fewer events are copied within their first question, so they report no progress. */
const FEW_EVENTS = 10_000;
/** Changed facts are copied again week by week. */
const CHANGED_DAYS = 7;
/** A refresh of more parts waits for its turn like a first copy: late events change days, a new rule all of them. */
const FEW_PARTS = 8;

/** The row that describes a file. */
interface State {
  installation: string;
  timezone: string;
  /** Whether its paths have no slash at their end. */
  mergeSlashes: boolean;
  /** The number up to which the copy has all facts and changes of the site; null until the first copy is complete. */
  seq: number | null;
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
  if (!state) {
    await inTurnIfLong(options, () => FactsSnapshot.read(pool, siteId, (snapshot) => build(options, snapshot)));
    return false;
  }
  if (state === "foreign" || state.installation !== options.installation) throw new OutdatedCopy();
  if (state.timezone !== options.timezone || state.mergeSlashes !== options.mergeSlashes) throw new OutdatedCopy();
  const { seq } = state;
  if (seq === null) throw new OutdatedCopy();
  if (isCurrent({ ...state, seq }, await readNumbers(pool, siteId), options.timezone)) return state.erased;
  const update = (isInTurn: boolean) =>
    FactsSnapshot.read(pool, siteId, (snapshot) => addChanges(options, snapshot, { ...state, seq }, isInTurn));
  const erased = await update(!options.inTurn);
  if (erased !== "long") return erased;
  options.progress?.(0);
  return (await options.inTurn?.(() => update(true))) === true;
}

/**
 * Adds what the copy lacks.
 *
 * @returns whether unused blocks of the file still contain erased data; `long` before it changes anything, when that would
 *   take long and it is not its turn.
 */
async function addChanges(
  options: CopyOptions,
  snapshot: FactsSnapshot,
  { seq, rolledUntil, erased: wasErased }: State & { seq: number },
  isInTurn: boolean,
): Promise<boolean | "long"> {
  if (isCurrent({ seq, rolledUntil }, snapshot, options.timezone)) return wasErased;
  const changes = joined(await snapshot.changesAfter(seq));
  if (changes.some(([start, end]) => start === ALL_TIME[0] && end === ALL_TIME[1])) throw new OutdatedCopy();
  // A change from the beginning is a retention limit that erased facts and dictionary values. Nothing else deletes single
  // facts of a site; anything that does must set this too.
  const erased = wasErased || changes.some(([start]) => start === ALL_TIME[0]);
  const parts = await partsOf(changes, snapshot);
  if (!isInTurn && parts.length > FEW_PARTS && (await snapshot.hasMoreEvents(FEW_EVENTS))) return "long";
  await copyParts(options, snapshot, parts);
  await inCopyTransaction(options.connection, async () => {
    const days = await addNew(options, snapshot, seq, changes);
    if (changes.length > 0) {
      await copyDictionaries(options, snapshot);
      await copyImported(options, snapshot);
    }
    const changed = changes.map((change) => daysOf(change, options.timezone));
    if (days.length > 0) await pickMoney(options, { after: seq });
    for (const [first, end] of joined(changed)) await pickMoney(options, { days: [first, end - 1] });
    const touched = [...changed, ...days.map((day): Span => [day, day + 1])];
    const closed = await rollClosedDays(options, snapshot, touched, rolledUntil);
    await writeState(options, snapshot, { rolledUntil: closed, erased });
  });
  return erased;
}

/**
 * Whether a copy has all facts, and a rollup of all closed days.
 *
 * @throws OutdatedCopy when the database was set back to an earlier state, or no longer has the changes that the copy lacks.
 */
function isCurrent(
  { seq, rolledUntil }: Pick<State, "rolledUntil"> & { seq: number },
  { last, changesDeletedTo, at }: SequenceNumbers,
  timezone: string,
): boolean {
  if (last < seq || changesDeletedTo > seq) throw new OutdatedCopy();
  return last === seq && (rolledUntil === 0 || lastClosedDay(at, timezone) === rolledUntil);
}

/** Long copies are built one after the other, so that refreshes of other sites find a connection. */
async function inTurnIfLong({ pool, siteId, inTurn, progress }: CopyOptions, work: () => Promise<void>): Promise<void> {
  const isLong = inTurn && (await FactsSnapshot.read(pool, siteId, (snapshot) => snapshot.hasMoreEvents(FEW_EVENTS)));
  if (!isLong) return work();
  progress?.(0);
  return inTurn(work);
}

/** Returns the parts of changed spans. */
async function partsOf(changes: readonly Span[], snapshot: FactsSnapshot): Promise<Span[]> {
  if (changes.length === 0) return [];
  const facts: Span = [(await snapshot.firstFact()) ?? snapshot.at.getTime(), snapshot.at.getTime()];
  return changes.flatMap((span) => cutSpan(span, facts, CHANGED_DAYS));
}

/**
 * Copies changed weeks again, each in its own transaction, because a change may affect all facts. After a crash they are
 * copied again once more.
 */
async function copyParts(options: CopyOptions, snapshot: FactsSnapshot, parts: readonly Span[]): Promise<void> {
  if (parts.length === 0) return;
  const isShort = !(await snapshot.hasMoreEvents(FEW_EVENTS));
  const progress = (share: number) => options.progress?.(isShort ? null : share);
  await inParts(options, snapshot, parts, { replaces: true, progress });
}

const STATE = `version INTEGER, installation VARCHAR, timezone VARCHAR, merge_slashes BOOLEAN, seq BIGINT,
  rolled_until INTEGER, erased BOOLEAN`;

/** Copies everything. */
async function build(options: CopyOptions, snapshot: FactsSnapshot): Promise<void> {
  const { connection, partEvents = PART_EVENTS } = options;
  const days = await snapshot.eventsByDay();
  options.progress?.(days.reduce((sum, { events }) => sum + events, 0) > FEW_EVENTS ? 0 : null);
  const parts = partsOfAll(days, partEvents);
  const isLarge = parts.length > 1;
  if (isLarge) {
    await inCopyTransaction(connection, () => makeTables(options));
    await inParts(options, snapshot, parts, { replaces: false, progress: options.progress });
  }
  // A small site is copied in one transaction, because each one waits for the disk.
  await inCopyTransaction(connection, async () => {
    if (!isLarge) {
      await makeTables(options);
      await copyAll(options, snapshot);
    }
    await copyDictionaries(options, snapshot);
    await copyImported(options, snapshot);
    await pickMoney(options, { days: ALL_TIME });
    const rolledUntil = await rollClosedDays(options, snapshot, [ALL_TIME], 0);
    await writeState(options, snapshot, { rolledUntil, erased: false });
  });
}

async function copyAll(options: CopyOptions, snapshot: FactsSnapshot): Promise<void> {
  const facts = await writeFacts(options, snapshot, ALL_TIME);
  await addFacts(options, facts).finally(() => removeFacts(facts));
}

/**
 * Copies parts, each in its own transaction. Postgres writes the next part while DuckDB reads one. The copy is incomplete
 * until the caller writes the state.
 *
 * @param how.replaces whether the copy has older facts of the parts.
 */
async function inParts(
  options: CopyOptions,
  snapshot: FactsSnapshot,
  parts: readonly Span[],
  { replaces, progress }: { replaces: boolean; progress: ((share: number) => void) | undefined },
) {
  const write = async (part: Span | undefined) => (part ? writeFacts(options, snapshot, part) : null);
  let facts = await write(parts[0]);
  for (const [index, part] of parts.entries()) {
    const add = async () => {
      progress?.(index / (parts.length + 1));
      await options.mayContinue?.();
      await inCopyTransaction(options.connection, async () => {
        if (replaces) await removeSpan(options, part);
        if (facts) await addFacts(options, facts);
      });
    };
    const [added, next] = await Promise.allSettled([add(), write(parts[index + 1])]);
    if (facts) await removeFacts(facts);
    facts = next.status === "fulfilled" ? next.value : null;
    if (added.status === "fulfilled" && next.status === "fulfilled") continue;
    if (facts) await removeFacts(facts);
    throw added.status === "rejected" ? added.reason : (next as PromiseRejectedResult).reason;
  }
  if (parts.length > 0) progress?.(parts.length / (parts.length + 1));
}

async function makeTables({ connection, installation, timezone, mergeSlashes }: CopyOptions): Promise<void> {
  const tables = Object.entries({ ...TABLES, state: STATE });
  await connection.run(tables.map(([table, columns]) => `CREATE OR REPLACE TABLE ${table} (${columns})`).join("; "));
  const views = Object.entries(SQL_VIEWS);
  await connection.run(views.map(([view, query]) => `CREATE OR REPLACE VIEW ${view} AS ${query}`).join("; "));
  const values = [SCHEMA_VERSION, installation, timezone, mergeSlashes];
  await connection.run("INSERT INTO state VALUES ($1, $2, $3, $4, NULL, 0, false)", values);
}

/** Returns the parts of a first copy: days that have so many events together. */
function partsOfAll(days: readonly { day: number; events: number }[], partEvents: number): Span[] {
  const ends: number[] = [];
  let events = 0;
  for (const one of days) {
    events += one.events;
    if (events < partEvents) continue;
    ends.push(one.day + DAY_MS);
    events = 0;
  }
  // What is left after the last end belongs to the last part if it is a whole one, and is one of its own otherwise.
  const starts = events > 0 || ends.length === 0 ? ends : ends.slice(0, -1);
  return [ALL_TIME[0], ...starts].map((start, index) => [start, starts[index] ?? ALL_TIME[1]]);
}

/** Cuts a span where it has facts. The first and the last part are unbounded where the span is. */
function cutSpan([start, end]: Span, [first, last]: Span, days: number): Span[] {
  const starts: number[] = [];
  for (let at = Math.max(start, first); at < Math.min(end, last); at += days * DAY_MS) starts.push(at);
  if (starts.length === 0) return [[start, end]];
  return starts.map((at, index) => [index > 0 ? at : start, starts[index + 1] ?? end]);
}

async function readState({ connection }: CopyOptions): Promise<State | "foreign" | null> {
  const written = await connection.runAndReadAll("FROM state").catch((error) => {
    if (/^Catalog Error/.test(error.message)) return null;
    throw error;
  });
  if (!written) return null;
  const [state] = written.getRowObjectsJS();
  if (!state) return null;
  const { version, installation, timezone, merge_slashes, seq, rolled_until, erased } = state;
  // A file of another version may have other columns.
  if (version !== SCHEMA_VERSION) return "foreign";
  return {
    installation: String(installation),
    timezone: String(timezone),
    mergeSlashes: merge_slashes === true,
    seq: seq === null ? null : Number(seq),
    rolledUntil: Number(rolled_until),
    erased: erased === true,
  };
}

async function writeState(
  { connection }: CopyOptions,
  snapshot: FactsSnapshot,
  { rolledUntil, erased }: Pick<State, "rolledUntil" | "erased">,
) {
  const values = [BigInt(snapshot.last), rolledUntil, erased];
  await connection.run("UPDATE state SET seq = $1, rolled_until = $2, erased = $3", values);
}

async function inCopyTransaction(connection: DuckDBConnection, work: () => Promise<void>): Promise<void> {
  await connection.run("BEGIN");
  try {
    await work();
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK").catch((fault) => log.debug(describeError(fault), "a copy was not rolled back"));
    throw error;
  }
}
