import { analytics } from "@/lib/analytics/engine/analytics";
import type { Principal } from "@/lib/contract/define";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { BYTE_ORDER_MARK } from "@/lib/platform/csv";
import { db } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import { asReport } from "@/lib/platform/report-queries";
import { exportShares } from "@/lib/platform/report-shares";
import { reportDeadlineMs } from "@/lib/platform/reports";
import { siteFor } from "@/lib/sites/access";
import { type Cursor, EventPages, readEventCursor } from "@/lib/transfer/event-pages";
import { type EventLine, FORMATS, type Format, PARQUET_COLUMNS } from "@/lib/transfer/line";
import { joinedParquet } from "@/lib/transfer/parquet-file";

/** Exports all raw events of a site as a file, in bounded memory. */

const PAGE_EVENTS = 2_000;
/** A smaller group is compressed less, a larger one needs more memory. */
const ROW_GROUP_EVENTS = 10_000;
/** Younger events are left out, because earlier ones may not be committed yet. */
const COMMIT_DELAY_MS = 60_000;

export interface Export {
  /** Chunks of the file, created on demand. Throws a Refusal if the person loses access to the site. */
  chunks: AsyncGenerator<string | Uint8Array>;
  type: string;
  fileName: string;
}

/** Who exports which site. */
export interface ExportCall {
  principal: Principal;
  siteId: number;
  requestId: string;
  now: Date;
}

/**
 * Starts an export for a manager of the site, or their agent, and writes an audit entry. With `after`, the export continues after the
 * line with that `event_id`, without a header, so that it can be appended to an interrupted download.
 *
 * HTTP `Range` requests do not work here, because the file is generated while it is sent: running visits grow, and
 * its total size is unknown.
 *
 * @param signal aborted when the client disconnects
 * @throws Refusal see `siteFor`, and `invalid_input` if `after` is not an event id
 */
export async function exportEvents(
  by: ExportCall,
  { format, after, signal }: { format: Format; after: string | null; signal?: AbortSignal | undefined },
): Promise<Export> {
  const cursor = cursorAfter(after);
  const site = await beginExport(by, { format, ...(after !== null && { after }) });
  const end = new Date(by.now.getTime() - COMMIT_DELAY_MS);
  const name = `${site.domain}-events-${end.toISOString().slice(0, 10)}${cursor ? "-continued" : ""}.${format}`;
  return { chunks: chunksOf(by, format, cursor, end, signal), type: FORMATS[format].type, fileName: name };
}

/** Returns the site of an export, and writes an audit entry. @throws Refusal see `siteFor` */
export const beginExport = ({ principal, siteId, requestId, now }: ExportCall, detail: Record<string, string>) =>
  db().$transaction(async (tx) => {
    const site = await siteFor(tx, principal, siteId, "manager");
    const isAgent = principal.kind === "client";
    const caller = { personId: principal.personId, clientId: isAgent ? principal.clientId : null };
    const operation = isAgent ? "sites.export.download" : "events.export";
    await writeAudit(tx, { at: now, siteId, ...caller, requestId, operation, detail });
    return site;
  });

/** Refuses what `exportEvents` would refuse, without an export. */
export async function checkExport({ principal, siteId }: ExportCall, after: string | null): Promise<void> {
  cursorAfter(after);
  await siteFor(db(), principal, siteId, "manager");
}

/** Returns the position after an event; null for the beginning. @throws Refusal `invalid_input` if it is no event id */
export function cursorAfter(after: string | null): Cursor | null {
  const cursor = after === null ? null : readEventCursor(after);
  if (after === null || cursor) return cursor;
  throw invalidInput([{ path: "after", message: "must be the event_id of the last complete line that you have" }]);
}

async function* chunksOf(by: ExportCall, format: Format, from: Cursor | null, end: Date, signal?: AbortSignal) {
  const pages = linesOf(by, from, end, signal);
  if (format === "parquet") return yield* joinedParquet(rowGroupsOf(pages));
  const { header, write } = FORMATS[format];
  if (!from && header !== "") yield BYTE_ORDER_MARK + header;
  for await (const lines of pages) yield lines.map(write).join("");
}

/** Returns lines as Parquet files of one row group each; an empty one if there are no lines, because it has the columns. */
async function* rowGroupsOf(pages: AsyncIterable<EventLine[]>): AsyncGenerator<Uint8Array> {
  const written = (lines: readonly EventLine[]) =>
    analytics().parquet(PARQUET_COLUMNS, lines.map(FORMATS.ndjson.write).join(""));
  let group: EventLine[] = [];
  let isEmpty = true;
  for await (const lines of pages) {
    group.push(...lines);
    if (group.length < ROW_GROUP_EVENTS) continue;
    yield await written(group);
    isEmpty = false;
    group = [];
  }
  if (isEmpty || group.length > 0) yield await written(group);
}

/** Returns the lines of an export page by page. */
async function* linesOf(by: ExportCall, from: Cursor | null, end: Date, signal?: AbortSignal) {
  const pages = new EventPages(by.siteId);
  const bounds = { shares: exportShares(by.principal), overBudget: true, deadlineMs: reportDeadlineMs(), signal };
  // Each page has its own deadline, concurrency slot and permission check.
  const runQuery = async <T>(work: () => Promise<T>): Promise<T> => {
    await siteFor(db(), by.principal, by.siteId, "manager");
    return asReport(bounds, work);
  };
  let after = from ?? (await runQuery(() => pages.startFrom(new Date(0))));
  while (after) {
    const position: Cursor = after;
    // Read one monthly partition at a time, then skip to the next month with events.
    const until = new Date(Math.min(monthAfter(position), end.getTime()));
    const { lines, next } = await runQuery(() => pages.read(position, until, PAGE_EVENTS));
    if (lines.length > 0) yield lines;
    after = next ?? (until < end ? await runQuery(() => pages.startFrom(until)) : null);
  }
}

export interface PageRequest {
  /** Cursor returned with the previous page; null for the first page. */
  cursor: string | null;
  /** Inclusive. */
  start: Date;
  /** Exclusive. Events that are too young to be complete are always left out. */
  end: Date;
  /** Maximum number of rows. */
  limit: number;
  now: Date;
}

/**
 * Returns one page of the rows of an export, in the same order.
 *
 * @returns the rows, and the cursor of the next page; null if there are no more rows
 * @throws Refusal `invalid_input` for an invalid cursor
 */
export async function exportPage(
  siteId: number,
  { cursor, start, end, limit, now }: PageRequest,
): Promise<{ rows: EventLine[]; cursor: string | null }> {
  const given = cursor === null ? null : readEventCursor(cursor);
  if (cursor !== null && !given) {
    throw invalidInput([{ path: "cursor", message: "must be the cursor of the previous page" }]);
  }
  const pages = new EventPages(siteId);
  const last = new Date(Math.min(end.getTime(), now.getTime() - COMMIT_DELAY_MS));
  const lines: EventLine[] = [];
  let after = given && isFrom(given, start) ? given : await pages.startFrom(start);
  // Read one row more than the limit to find out whether there is another page.
  while (after && lines.length <= limit) {
    const until = new Date(Math.min(monthAfter(after), last.getTime()));
    const { lines: more, next } = await pages.read(after, until, limit + 1 - lines.length);
    lines.push(...more);
    after = next ?? (until < last ? await pages.startFrom(until) : null);
  }
  const rows = lines.slice(0, limit);
  return { rows, cursor: lines.length > limit ? (rows.at(-1)?.event_id ?? null) : null };
}

const isFrom = ({ at }: Cursor, start: Date): boolean => BigInt(at) >= BigInt(start.getTime()) * 1000n;

/** Returns the start of the next UTC month, the boundary of the partitions. */
function monthAfter({ at }: Cursor): number {
  const day = new Date(Number(BigInt(at) / 1000n));
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
}
