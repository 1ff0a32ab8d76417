import { open } from "node:fs/promises";
import { z } from "zod";
import { connectionSentence } from "@/lib/contract/connection-words";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { invalidInput, OperatorError, Refusal } from "@/lib/platform/errors";
import { localDay, Temporal } from "@/lib/platform/time";
import { type AnalyticsReport, runReport } from "@/lib/search/analytics-api";
import { ANALYTICS, askAnalytics, connectedProperties, endImportConnection } from "@/lib/search/analytics-connection";
import { isProblem, ProviderFault, providerFaultOf, type TemporaryFault } from "@/lib/search/faults";
import type { Ask } from "@/lib/search/tokens";
import { type FetchedReport, GA4_REPORTS, ga4Columns, ga4FileName, TOTALS_REPORT } from "@/lib/transfer/ga4-reports";
import { pathOf, prepareFolder, UPLOAD_LIMITS } from "@/lib/transfer/uploads";

/**
 * Fetches reports of Google Analytics into files, which are then checked and imported like uploaded ones: first the totals
 * of all days, then the other reports day by day. What was fetched is saved after each day, so a fetch continues where it
 * stopped, and each day is in the files once.
 */

/** How long one turn of a fetch lasts, before other imports have theirs. */
const TURN_MS = 30_000;
/** The first day that the Data API accepts. */
const FIRST_DAY = "2015-08-14";
const MAX_DAYS = 4_000;
/** Google counts tokens by hour and by day. */
const FIRST_WAIT_MS: Record<TemporaryFault, number> = {
  quota: 15 * 60_000,
  unreachable: 60_000,
  malformed: 60_000,
  setup: 60 * 60_000,
};
const MAX_WAIT_MS = 6 * 3600_000;
/** About two days of waiting. */
const MAX_FAILURES = 16;

const count = z.int().min(0);
const progressShape = z.object({
  property: z.string(),
  name: z.string(),
  from: z.string(),
  to: z.string(),
  /** The days with visits, the earliest first; null until the totals are fetched. */
  days: z.array(z.string()).nullable(),
  done: count,
  /** Uploads and their bytes, by the names of files. What is behind these bytes was not finished. */
  files: z.record(z.string(), z.object({ id: z.string(), bytes: count })),
  failures: count,
  timezone: z.string().nullable(),
  /** Answers that Google says are not exact. */
  inexact: z.object({ answers: count, sampled: count, thresholded: count, other: count }),
});
type Fetched = z.output<typeof progressShape>;

export interface FetchRequest {
  property: string;
  from: string;
  to: string;
}

/**
 * Returns what a run fetches, before its first turn.
 *
 * @throws Refusal `not_found` without a connected account; `invalid_input` for a property or days that it cannot have
 */
export async function plannedFetch(
  on: Db,
  { id: siteId, timezone }: { id: number; timezone: string },
  { property, from, to }: FetchRequest,
  now: Date,
): Promise<Fetched> {
  const known = await connectedProperties(on, siteId);
  if (known === null)
    throw new Refusal(
      "not_found",
      "No Google account is connected for imports. An owner connects it under Settings, Import.",
    );
  const chosen = known.find((one) => one.property === property);
  if (!chosen) throw invalidInput([{ path: "property", message: "must be one of those of sites.imports.properties" }]);
  const days = Temporal.PlainDate.from(from).until(to).days + 1;
  if (from < FIRST_DAY) throw invalidInput([{ path: "from", message: `must be ${FIRST_DAY} or later` }]);
  const today = localDay(now, timezone).toString();
  if (to >= today) throw invalidInput([{ path: "to", message: `must be before today, ${today} in ${timezone}` }]);
  if (days < 1) throw invalidInput([{ path: "to", message: "must not be before the first day" }]);
  if (days > MAX_DAYS) throw invalidInput([{ path: "to", message: `must be within ${MAX_DAYS} days of from` }]);
  const inexact = { answers: 0, sampled: 0, thresholded: 0, other: 0 };
  return {
    property,
    name: chosen.name,
    from,
    to,
    days: null,
    done: 0,
    files: {},
    failures: 0,
    timezone: null,
    inexact,
  };
}

interface Run {
  id: string;
  siteId: number;
  fetched: Prisma.JsonValue;
}

/** Gives a fetch its turn: it ends the fetch, or continues it at `nextAt`. */
export async function fetchTurn(run: Run, now: Date, turnMs = TURN_MS): Promise<void> {
  const until = Date.now() + turnMs;
  let progress = progressShape.parse(run.fetched);
  const save = async (data: Prisma.ImportRunUpdateManyMutationInput = {}) => {
    const { days, done } = progress;
    const { count: kept } = await db().importRun.updateMany({
      where: { id: run.id, state: "fetching" },
      data: { fetched: progress, readBytes: BigInt(done), totalBytes: BigInt(days?.length ?? 0), ...data },
    });
    if (kept === 0) throw new FetchEnded();
  };
  try {
    const ask = await askAnalytics(run.siteId);
    if (progress.days === null) {
      progress = await fetchTotals(run, progress, ask, now);
      await save({ problem: null });
    }
    for (const day of progress.days?.slice(progress.done) ?? []) {
      if (Date.now() >= until) return await save({ nextAt: null, startedAt: new Date() });
      progress = await fetchDay(run, progress, day, ask, now);
      await save({ problem: null });
    }
    await finish(run, progress, now);
  } catch (error) {
    if (error instanceof FetchEnded) return;
    if (error instanceof OperatorError)
      return await save({ state: "failed", problem: error.message, endedAt: new Date() });
    const fault = providerFaultOf(error, "Google Analytics could not be fetched");
    const problem = connectionSentence(fault.code, ANALYTICS);
    progress = { ...progress, failures: progress.failures + 1 };
    if (isProblem(fault.code)) await endImportConnection(db(), run.siteId);
    if (isProblem(fault.code) || progress.failures > MAX_FAILURES)
      return await save({ state: "failed", problem, endedAt: new Date() });
    const waitMs = Math.min(FIRST_WAIT_MS[fault.code] * 2 ** Math.min(progress.failures - 1, 8), MAX_WAIT_MS);
    const longest = Math.max(waitMs, (fault.retryAfterS ?? 0) * 1000);
    await save({ problem, nextAt: new Date(now.getTime() + longest), startedAt: new Date() });
  }
}

/** Somebody has ended the fetch meanwhile. */
class FetchEnded extends Error {}

async function fetchTotals(run: Run, progress: Fetched, ask: Ask, now: Date): Promise<Fetched> {
  const { property, from, to } = progress;
  const answer = await ask((token) =>
    runReport(token, { property, from, to, dimensions: ["date"], metrics: TOTALS_REPORT.metrics }),
  );
  const rows = answer.rows.map(([date = "", ...rest]) => [dayOf(date, progress), ...rest]);
  const days = [...new Set(rows.map(([day = ""]) => day))].sort();
  if (days.length === 0)
    throw new OperatorError(
      `${progress.name} has no visits from ${from} to ${to}. Choose other days or another property.`,
    );
  const files = await append(run, progress, [[TOTALS_REPORT, rows]], now);
  return { ...counted(progress, answer), days, files, failures: 0, timezone: answer.timezone };
}

async function fetchDay(run: Run, progress: Fetched, day: string, ask: Ask, now: Date): Promise<Fetched> {
  const { property } = progress;
  let next = progress;
  const found: [FetchedReport, string[][]][] = [];
  for (const report of GA4_REPORTS) {
    const { dimension, metrics } = report;
    const dimensions = dimension === null ? [] : [dimension];
    const answer = await ask((token) => runReport(token, { property, from: day, to: day, dimensions, metrics }));
    found.push([report, answer.rows.map((row) => [day, ...row])]);
    next = counted(next, answer);
  }
  return { ...next, files: await append(run, next, found, now), done: next.done + 1, failures: 0 };
}

function dayOf(date: string, { from, to }: Fetched): string {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(date) ?? [];
  const text = `${year}-${month}-${day}`;
  if (!year || text < from || text > to) throw new ProviderFault("malformed");
  return text;
}

const counted = (progress: Fetched, answer: AnalyticsReport): Fetched => {
  const { answers, ...kinds } = progress.inexact;
  const added = Object.entries(kinds).map(([kind, number]) => [
    kind,
    number + Number(answer[kind as keyof typeof kinds]),
  ]);
  return { ...progress, inexact: { answers: answers + 1, ...(Object.fromEntries(added) as typeof kinds) } };
};

/** Appends rows to the files of a run, behind what was finished. @returns the files with their new lengths */
async function append(
  { id: importId, siteId }: Run,
  { files }: Fetched,
  found: readonly (readonly [FetchedReport, readonly string[][]])[],
  now: Date,
): Promise<Fetched["files"]> {
  await prepareFolder();
  const written = { ...files };
  for (const [report, rows] of found) {
    const name = ga4FileName(report);
    const known = written[name];
    const id = known?.id ?? (await newFile(siteId, importId, name, now));
    const text = [...(known ? [] : [ga4Columns(report)]), ...rows]
      .map((row) => `${row.map(quoted).join(",")}\n`)
      .join("");
    const file = await open(pathOf(id), known ? "r+" : "w", 0o600);
    try {
      const bytes = Buffer.from(text);
      await file.truncate(known?.bytes ?? 0);
      await file.write(bytes, 0, bytes.length, known?.bytes ?? 0);
      written[name] = { id, bytes: (known?.bytes ?? 0) + bytes.length };
    } finally {
      await file.close();
    }
  }
  const total = Object.values(written).reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > UPLOAD_LIMITS.siteBytes)
    throw new OperatorError("Google Analytics has more than 1 GiB for these days. Import fewer days at once.");
  // They must not expire while the fetch waits.
  await db().importFile.updateMany({ where: { importId }, data: { createdAt: now } });
  return written;
}

/** One that was created and not saved with the run is used again. */
async function newFile(siteId: number, importId: string, name: string, createdAt: Date): Promise<string> {
  const known = await db().importFile.findFirst({ where: { importId, name }, select: { id: true } });
  if (known) return known.id;
  const { id } = await db().importFile.create({ data: { siteId, importId, name, sizeBytes: 0n, createdAt } });
  return id;
}

const quoted = (value: string): string => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

async function finish({ id }: Run, { files }: Fetched, now: Date): Promise<void> {
  await db().$transaction(async (tx) => {
    let total = 0n;
    for (const { id: fileId, bytes } of Object.values(files)) {
      const sizes = { sizeBytes: BigInt(bytes), arrivedBytes: BigInt(bytes), createdAt: now };
      await tx.importFile.updateMany({ where: { id: fileId }, data: sizes });
      total += BigInt(bytes);
    }
    const next = {
      state: "checking",
      attempts: 0,
      readBytes: 0n,
      totalBytes: total,
      nextAt: null,
      problem: null,
    } as const;
    await tx.importRun.updateMany({ where: { id, state: "fetching" }, data: next });
  });
}

/** Returns sentences about what Google says is not exact, and whose days these are. */
export function notesOfFetch(fetched: Prisma.JsonValue, timezone: string): string[] {
  if (fetched === null) return [];
  const { inexact, timezone: zone } = progressShape.parse(fetched);
  const { answers, sampled, thresholded, other } = inexact;
  const of = (part: number, what: string) => (part > 0 ? [`${part} of ${answers} reports ${what}.`] : []);
  return [
    ...of(sampled, "are samples: Google did not count all events"),
    ...of(thresholded, "lack rows of few users, which Google withholds"),
    ...of(other, "have rare values in one row (other)"),
    ...(zone !== null && zone !== timezone
      ? [`Its days are those of ${zone}, and the site's those of ${timezone}.`]
      : []),
  ];
}
