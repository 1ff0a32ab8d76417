import { existsSync, readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { Engine } from "@/lib/analytics/engine/engine";
import { failureOf, isBroken } from "@/lib/analytics/engine/failure";
import { FolderInUse, fileOf, othersIn, removeFile } from "@/lib/analytics/engine/files";
import type { Open, Reply, ToProcess, Work } from "@/lib/analytics/engine/messages";
import { derived } from "@/lib/analytics/query/derived";
import { Fault } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { gauge, readMetrics } from "@/lib/platform/metrics";
import { exitOnUncaughtErrors } from "@/lib/platform/uncaught-errors";

/** The analytics process: it answers the queries of its server over the IPC channel. */

/** More than one process uses a data folder only where several servers of one machine share it. */
const MOST_FOLDERS = 16;
/** The predecessor of a server that was killed may hold its folder for a moment. */
const TRIES = 10;
const TRY_EVERY_MS = 200;
const END_WITHIN_MS = 2_000;

gauge("footfall_analytics_resident_memory_bytes", "Memory of the analytics process.", "", () => ({
  "": process.memoryUsage.rss(),
}));

let open: Open | null = null;
let opened: Promise<Engine> | null = null;
const running = new Map<number, AbortController>();

/** Opens the engine at the first call, and again after a failure. */
function engine(): Promise<Engine> {
  opened ??= openFree().catch((error) => {
    opened = null;
    throw error;
  });
  return opened;
}

process.on("message", (message: ToProcess) => {
  if ("open" in message) {
    open = message.open;
    log.level = open.logLevel;
    // Opened before the first query, which tries again after a failure.
    engine().catch((error) => log.warn(describeError(error), "the analytics engine is not open yet"));
  } else if ("cancel" in message) {
    running.get(message.cancel)?.abort();
  } else {
    void serve(message.id, message.work);
  }
});
process.once("disconnect", () => void end());
process.once("SIGTERM", () => void end());
// Ctrl-C in a terminal reaches the whole group; the server answers what has begun and ends this process afterwards.
process.on("SIGINT", () => {});

async function serve(id: number, work: Work): Promise<void> {
  const aborting = new AbortController();
  running.set(id, aborting);
  try {
    send({ id, value: await perform(work, aborting.signal) });
  } catch (error) {
    const failure = failureOf(error, aborting.signal);
    if (failure.kind === "failed") log.warn({ ...describeError(error), code: failure.code }, "a query failed");
    if (failure.kind === "disk") reportFullDisk(error);
    // A new process gets the question again.
    if (isBroken(error)) process.exit(1);
    send({ id, error: failure });
  } finally {
    running.delete(id);
  }
}

/** Every query meets it for as long as it lasts. */
const SAME_FAULT_MS = 60_000;
let diskReportedAt = Number.NEGATIVE_INFINITY;

function reportFullDisk(error: unknown): void {
  const now = performance.now();
  if (now - diskReportedAt < SAME_FAULT_MS) return;
  diskReportedAt = now;
  log.error(describeError(error), "the disk is full: reports cannot be prepared");
}

async function perform(work: Work, signal: AbortSignal): Promise<unknown> {
  if ("metrics" in work) return readMetrics();
  const ready = await engine();
  if ("ping" in work) return;
  if ("query" in work) return ready.query(work.query.site, work.query.statements, signal);
  if ("pattern" in work) return ready.patternFault(work.pattern);
  if ("parquet" in work) return ready.parquet(work.parquet.columns, work.parquet.rows);
  if ("parquetPage" in work) {
    const { file, columns, from } = work.parquetPage;
    return ready.parquetPage(file, columns, from);
  }
  if ("forget" in work) {
    await ready.forget(work.forget);
    for (const folder of allFolders()) removeFile(fileOf(folder, work.forget));
    return;
  }
  await ready.keep(work.keep);
  for (const folder of allFolders()) {
    for (const siteId of othersIn(folder, work.keep)) removeFile(fileOf(folder, siteId));
  }
}

/** Also folders of other processes: a deleted site must not stay anywhere. */
const allFolders = (): string[] =>
  Array.from({ length: MOST_FOLDERS }, (_, index) => folderOf(index)).filter(existsSync);

const folderOf = (index: number): string => path.join(open?.root ?? "", `${index}`);

/** Opens the first folder that no other process holds. */
async function openFree(): Promise<Engine> {
  if (!open) throw new Fault("The analytics process got no options");
  const { root, logLevel: _, ...options } = open;
  for (let index = 0, tries = 1; index < MOST_FOLDERS; ) {
    try {
      return await Engine.open({ ...options, derived, folder: folderOf(index) });
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      if (tries++ < TRIES) await setTimeout(TRY_EVERY_MS);
      else index++;
    }
  }
  throw new Fault(`All ${MOST_FOLDERS} folders of ${root} are in use`);
}

/** Linux keeps a priority for each thread. Those that exist are lowered; DuckDB's are started by them and inherit it. */
function lowerPriority(): void {
  const threads = "/proc/self/task";
  const ids = existsSync(threads) ? readdirSync(threads).map(Number) : [process.pid];
  for (const id of ids) {
    try {
      os.setPriority(id, os.constants.priority.PRIORITY_BELOW_NORMAL);
    } catch (error) {
      log.warn(describeError(error), "the priority of the analytics process could not be lowered");
    }
  }
}

function send(reply: Reply): void {
  // The channel may have closed.
  if (process.connected) process.send?.(reply, undefined, undefined, () => {});
}

/** Files survive a sudden end, so closing them in order may not take long. */
async function end(): Promise<void> {
  for (const aborting of running.values()) aborting.abort();
  const closing = Promise.resolve(opened)
    .then((ready) => ready?.close())
    .catch((error) => log.warn(describeError(error), "the copies were not closed in order"));
  await Promise.race([closing, setTimeout(END_WITHIN_MS)]);
  // Unlike `process.exit`, this does not wait for queries of DuckDB that have not noticed yet.
  process.kill(process.pid, "SIGKILL");
}

exitOnUncaughtErrors(end);
lowerPriority();
// The files hold all events of their sites.
process.umask(0o077);
