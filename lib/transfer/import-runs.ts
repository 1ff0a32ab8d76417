import type { z } from "zod";
import { analytics } from "@/lib/analytics/engine/analytics";
import type { ChosenColumn, ColumnMeaning, ColumnQuestion } from "@/lib/contract/import-columns";
import type { importRunShape } from "@/lib/contract/import-run";
import { OWN_EVENTS } from "@/lib/contract/import-services";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { OperatorError, Refusal } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { reports } from "@/lib/platform/reports";
import { endImportConnection } from "@/lib/search/analytics-connection";
import { type ImportedFile, openFiles } from "@/lib/transfer/archive";
import { type FetchRequest, fetchTurn, notesOfFetch, plannedFetch } from "@/lib/transfer/ga4-fetch";
import { ImportRefused, type Target } from "@/lib/transfer/import";
import { importSums, previewSums } from "@/lib/transfer/import-sums";
import { daysImportedFrom } from "@/lib/transfer/imports";
import { importExports, previewExports } from "@/lib/transfer/own-events";
import { parquetLines } from "@/lib/transfer/parquet-lines";
import { SERVICES, type Source, serviceOf } from "@/lib/transfer/sources";
import { readHead } from "@/lib/transfer/sums-files";
import { deleteUploads, pathOf, sweepUploads, UPLOAD_LIMITS } from "@/lib/transfer/uploads";

/**
 * Imports of uploaded files. A job first checks the files, then imports them once a person or an agent starts it. Both
 * are one transaction, so a run that a restart interrupts begins again and leaves nothing behind.
 */

/** Attempts of a check or an import whose process ends, or which fails by a fault of ours. */
const MAX_ATTEMPTS = 5;
const LISTED_RUNS = 10;
const KEPT_RUN_MS = 90 * DAY_MS;
/** Imports are done once, so their consent is not kept. */
const KEPT_CONNECTION_MS = 14 * DAY_MS;
const PROGRESS_EVERY_MS = 1_000;
const MAX_PROBLEM_LENGTH = 10_000;
const UNFINISHED = "The import did not finish. Start it again, or import the files in smaller parts.";

export type ImportRun = z.output<typeof importRunShape>;
/** What an import stores or has stored. */
export type ImportSums = NonNullable<ImportRun["sums"]>;

const WITH_FILES = {
  files: { select: { id: true, name: true, sizeBytes: true }, orderBy: { createdAt: "asc" } },
} as const;
type Row = Prisma.ImportRunGetPayload<{ include: typeof WITH_FILES }>;

const runOf = (row: Row): ImportRun => ({
  import_id: row.id,
  state: row.state,
  source: row.source,
  removable: row.source !== OWN_EVENTS,
  files: row.names,
  file_ids: row.files.map(({ id }) => id),
  progress: progressOf(row),
  sums: sumsOf(row),
  problem: row.problem,
  questions: (row.questions ?? []) as unknown as ColumnQuestion[],
  created_at: row.createdAt.toISOString(),
});

function sumsOf({ result, preview }: Row): ImportSums | null {
  const sums = (result ?? preview) as ImportSums | null;
  return sums && { ...sums, earlier_days: sums.earlier_days ?? null };
}

function progressOf({ state, readBytes, totalBytes }: Row): number {
  if (state === "ready" || state === "done") return 1;
  return totalBytes > 0n ? Math.min(1, Math.round((Number(readBytes) / Number(totalBytes)) * 100) / 100) : 0;
}

/** Returns the latest runs of a site, newest first. */
export async function listRuns(on: Db, siteId: number): Promise<ImportRun[]> {
  const rows = await on.importRun.findMany({
    where: { siteId },
    include: WITH_FILES,
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    take: LISTED_RUNS,
  });
  return rows.map(runOf);
}

/**
 * Creates an import of uploaded files and begins to check them. It replaces one of the same files that was not started.
 *
 * @throws Refusal `not_found` for unknown files, `invalid_input` for incomplete ones, `operation_in_progress` if another
 *   import reads them
 */
export async function createRun(
  on: Db,
  siteId: number,
  { files: fileIds, columns = [] }: { files: readonly string[]; columns?: readonly ChosenColumn[] },
  now: Date,
): Promise<ImportRun> {
  const since = new Date(now.getTime() - UPLOAD_LIMITS.keptMs);
  const files = await on.importFile.findMany({
    where: { id: { in: [...fileIds] }, siteId, createdAt: { gt: since } },
    include: { run: true },
    orderBy: [{ createdAt: "asc" }, { name: "asc" }],
  });
  const missing = fileIds.filter((id) => !files.some((file) => file.id === id));
  if (missing.length > 0)
    throw new Refusal("not_found", `The site has no uploads ${missing.join(", ")}. Uploads are deleted after a day.`);
  for (const { name, arrivedBytes, sizeBytes, run } of files) {
    if (arrivedBytes < sizeBytes)
      throw new Refusal(
        "not_found",
        `${name} is incomplete: ${arrivedBytes} of ${sizeBytes} bytes have arrived. Send the rest.`,
      );
    if (run?.state === "checking" || run?.state === "importing")
      throw new Refusal("operation_in_progress", `${name} is being read by another import. Wait until that has ended.`);
  }
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0n);
  const { id } = await on.importRun.create({
    data: {
      siteId,
      state: "checking",
      names: files.map(({ name }) => name),
      totalBytes: total,
      createdAt: now,
      ...(columns.length > 0 && { meanings: columns.map((column) => ({ ...column })) }),
    },
  });
  const before = files.flatMap(({ importId }) => importId ?? []);
  await on.importFile.updateMany({ where: { id: { in: [...fileIds] } }, data: { importId: id } });
  await on.importRun.deleteMany({ where: { id: { in: before }, state: "ready" } });
  return findRun(on, siteId, id);
}

/**
 * Creates an import that fetches its files from Google Analytics.
 *
 * @throws Refusal as `plannedFetch` does; `operation_in_progress` while the site has another fetch
 */
export async function createFetch(
  on: Db,
  site: { id: number; timezone: string },
  asked: FetchRequest,
  now: Date,
): Promise<ImportRun> {
  const fetched = await plannedFetch(on, site, asked, now);
  if ((await on.importRun.count({ where: { siteId: site.id, state: "fetching" } })) > 0)
    throw new Refusal(
      "operation_in_progress",
      "Another import is being fetched. Wait until it has ended, or disconnect the account.",
    );
  const names = [`${fetched.name}, ${fetched.from} to ${fetched.to}`];
  const { id } = await on.importRun.create({
    data: { siteId: site.id, state: "fetching", source: "ga4", names, fetched, totalBytes: 0n, createdAt: now },
  });
  return findRun(on, site.id, id);
}

/** Ends the consent of a site's Google account, and what is being fetched with it. @returns whether there was one */
export async function disconnectAnalytics(on: Db, siteId: number, now: Date): Promise<boolean> {
  await on.importRun.updateMany({
    where: { siteId, state: "fetching" },
    data: {
      state: "failed",
      problem: "The Google account was disconnected before all days were fetched.",
      endedAt: now,
    },
  });
  return endImportConnection(on, siteId);
}

/**
 * Starts an import whose files were checked.
 *
 * @throws Refusal `not_found`, or `invalid_input` with the reason if it cannot be started
 */
export async function startRun(on: Db, siteId: number, id: string): Promise<ImportRun> {
  const run = await findRun(on, siteId, id);
  if (run.state === "fetching") throw new Refusal("operation_in_progress", "Google Analytics is still being fetched.");
  if (run.state === "checking") throw new Refusal("operation_in_progress", "The files are still being checked.");
  if (run.state === "failed") throw new Refusal("not_found", `This import cannot be started: ${run.problem}`);
  // A second start of the same import changes nothing.
  await on.importRun.updateMany({
    where: { id, state: "ready" },
    data: { state: "importing", attempts: 0, readBytes: 0n },
  });
  return findRun(on, siteId, id);
}

async function findRun(on: Db, siteId: number, id: string): Promise<ImportRun> {
  const row = await on.importRun.findFirst({ where: { id, siteId }, include: WITH_FILES });
  if (!row) throw new Refusal("not_found", `The site has no import ${id}. sites.imports.list shows them.`);
  return runOf(row);
}

/** The job: deletes what is old, then checks and imports what waits, one import after the other. */
export async function runImports(now: Date): Promise<void> {
  await sweepUploads(now);
  await sweepRuns(now);
  for (let row = await nextRun(now); row !== null; row = await nextRun(now))
    await (row.state === "fetching" ? fetchTurn(row, now) : attempt(row, now));
}

/** Returns when a fetch that waits goes on; null when none does. */
export async function nextImportAt(): Promise<Date | null> {
  const { _min } = await db().importRun.aggregate({ where: { state: "fetching" }, _min: { nextAt: true } });
  return _min.nextAt;
}

/** An import that was not started in time has lost its files. */
async function sweepRuns(now: Date): Promise<void> {
  await db().importRun.deleteMany({ where: { createdAt: { lt: new Date(now.getTime() - KEPT_RUN_MS) } } });
  await db().importConnection.deleteMany({
    where: {
      connectedAt: { lt: new Date(now.getTime() - KEPT_CONNECTION_MS) },
      site: { importRuns: { none: { state: "fetching" } } },
    },
  });
  await db().importRun.updateMany({
    where: { state: "ready", files: { none: {} } },
    data: {
      state: "failed",
      problem: "It was not started within a day, so its files were deleted. Upload them again.",
      endedAt: now,
    },
  });
}

/** Fetches have turns, the one that waits longest first, and only while no other import waits. */
async function nextRun(now: Date): Promise<Row | null> {
  const waiting = await db().importRun.findFirst({
    where: { state: { in: ["checking", "importing"] } },
    include: WITH_FILES,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return (
    waiting ??
    db().importRun.findFirst({
      where: { state: "fetching", OR: [{ nextAt: null }, { nextAt: { lte: now } }] },
      include: WITH_FILES,
      orderBy: [{ startedAt: { sort: "asc", nulls: "first" } }, { id: "asc" }],
    })
  );
}

/** @throws Error for a fault of ours, so that the job is repeated later */
async function attempt(row: Row, now: Date): Promise<void> {
  if (row.attempts >= MAX_ATTEMPTS) return end(row, { state: "failed", problem: UNFINISHED });
  await db().importRun.updateMany({
    where: { id: row.id },
    data: { attempts: { increment: 1 }, startedAt: now, readBytes: 0n },
  });
  try {
    await work(row, now);
  } catch (error) {
    // Another process took over this slow run and has ended it.
    if ((await db().importRun.count({ where: { id: row.id, state: row.state } })) === 0) return;
    if (!(error instanceof OperatorError)) throw error;
    const questions = error instanceof ImportRefused ? error.questions.map((question) => ({ ...question })) : [];
    const problem = error.message.slice(0, MAX_PROBLEM_LENGTH).toWellFormed();
    await end(row, { state: "failed", problem, ...(questions.length > 0 && { questions }) });
  }
}

async function end(row: Row, data: Prisma.ImportRunUpdateManyMutationInput): Promise<void> {
  await db().importRun.updateMany({ where: { id: row.id, state: row.state }, data: { ...data, endedAt: new Date() } });
}

async function work(row: Row, now: Date): Promise<void> {
  const target = await targetOf(row.siteId, now);
  if (!target) return;
  const progress = progressOn(row.id);
  const uploads = row.files.map(({ id, name, sizeBytes }) => ({ name, path: pathOf(id), bytes: Number(sizeBytes) }));
  const inAnalyticsProcess = parquetLines((...asked) => analytics().parquetPage(...asked));
  const { files, close } = await openFiles(uploads, progress.add, inAnalyticsProcess);
  try {
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    await db().importRun.updateMany({ where: { id: row.id }, data: { totalBytes: BigInt(total) } });
    const meanings = meaningsOf((row.meanings ?? []) as unknown as ChosenColumn[]);
    const source = (row.source as Source | null) ?? serviceOf(await headsOf(files, meanings));
    progress.reset();
    if (source === OWN_EVENTS) return await workOnEvents(row, files, target);
    const opened = files.map(({ name, lines }) => ({ name, lines: lines(), meanings: meanings.get(name) }));
    const ofFetch = notesOfFetch(row.fetched, target.timezone);
    const earlierDays = await daysImportedFrom(reports(), row.siteId, source);
    if (row.state === "checking") {
      const sums = await previewSums(SERVICES[source], opened, target);
      const preview: ImportSums = {
        from: sums.from,
        to: sums.to,
        days: sums.days,
        own_days: sums.ownDays,
        replaced_days: sums.replacedDays,
        earlier_days: earlierDays,
        rows: sums.rows,
        visitors: sums.visitors,
        visits: sums.visits,
        pageviews: sums.pageviews,
        events: sums.events,
        dimensions: sums.dimensions,
        notes: [...ofFetch, ...sums.skipped],
      };
      await end(row, { state: "ready", source, preview: { ...preview } });
      return;
    }
    const { days, ownDays, rows, skipped } = await importSums(SERVICES[source], opened, target);
    const counted = { days, own_days: ownDays, earlier_days: earlierDays, rows };
    const result = { ...(row.preview as object), ...counted, notes: [...ofFetch, ...skipped] };
    await end(row, { state: "done", result });
    await deleteUploads(row.files.map(({ id }) => id));
  } finally {
    await close();
  }
}

/** Checks or imports events, which become the site's own. */
async function workOnEvents(row: Row, files: readonly ImportedFile[], target: Target): Promise<void> {
  if (row.state === "checking") {
    const pages = await pagesOf(row.siteId);
    const { replacedDays, ...sums } = await previewExports(files, target, pages);
    const preview: ImportSums = { ...sums, own_days: 0, earlier_days: 0, replaced_days: replacedDays };
    return end(row, { state: "ready", source: OWN_EVENTS, preview: { ...preview } });
  }
  const { lines, added } = await importExports(files, target);
  const notes = [`${added} events were added, ${lines - added} were stored already.`];
  await end(row, { state: "done", result: { ...(row.preview as object), rows: lines, notes } });
  await deleteUploads(row.files.map(({ id }) => id));
}

async function pagesOf(id: number) {
  const { localPages, domains } = await db().site.findUniqueOrThrow({
    where: { id },
    select: { localPages: true, domains: { select: { host: true } } },
  });
  return { localPages, domains: domains.map(({ host }) => host) };
}

type Meanings = ReadonlyMap<string, Record<string, ColumnMeaning>>;

/** Returns what columns mean by the names of their files. */
function meaningsOf(chosen: readonly ChosenColumn[]): Meanings {
  const found = new Map<string, Record<string, ColumnMeaning>>();
  for (const { file, column, meaning } of chosen)
    found.set(file, Object.assign(found.get(file) ?? Object.create(null), { [column]: meaning }));
  return found;
}

/** Opens each file on its own: one that is read to its header must not count as read. */
async function headsOf(files: Awaited<ReturnType<typeof openFiles>>["files"], meanings: Meanings) {
  const heads = [];
  for (const { name, lines } of files)
    heads.push(await readHead({ name, lines: lines(), meanings: meanings.get(name) }));
  return heads;
}

async function targetOf(siteId: number, now: Date): Promise<Target | null> {
  const site = await db().site.findUnique({
    where: { id: siteId },
    select: { timezone: true, pageQuery: true, domains: { where: { isPrimary: true }, select: { host: true } } },
  });
  const host = site?.domains[0]?.host;
  return site && host ? { siteId, timezone: site.timezone, pageQuery: site.pageQuery, host, now } : null;
}

/** Writes how much of a run was read, at most once a second. */
function progressOn(id: string) {
  let read = 0;
  let savedAt = 0;
  return {
    add(bytes: number) {
      read += bytes;
      const at = Date.now();
      if (at - savedAt < PROGRESS_EVERY_MS) return;
      savedAt = at;
      db()
        .importRun.updateMany({ where: { id }, data: { readBytes: BigInt(Math.round(read)) } })
        .catch((error) => log.warn(describeError(error), "the progress of an import was not saved"));
    },
    reset() {
      read = 0;
    },
  };
}
