import { writeAudit } from "@/lib/gateway/changes/audit";
import type { SiteChange } from "@/lib/gateway/changes/change-site";
import { BYTE_ORDER_MARK } from "@/lib/platform/csv";
import { db, reportDeadlineMs } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { asReport } from "@/lib/platform/report-queries";
import { exportShares } from "@/lib/platform/report-shares";
import { siteFor } from "@/lib/sites/access";
import { type Cursor, EventPages, readCursor } from "@/lib/transfer/event-pages";
import { type EventLine, FORMATS, type Format } from "@/lib/transfer/line";

/** All raw events of a site as a file, in bounded memory and without keeping anybody waiting. */

const PAGE_EVENTS = 2_000;
/** What is younger may still have neighbours in a transaction that is not committed yet. */
const SETTLED_MS = 60_000;

export interface Export {
  /** Pieces of the file, made as they are asked for. Fails with a Refusal when the site is not the person's any more. */
  chunks: AsyncGenerator<string>;
  type: string;
  fileName: string;
}

/**
 * Begins an export for a manager of the site, and notes it in the audit. A line's `event_id` as `after` goes on behind that
 * line, without a header, so that the rest can be appended to what is there.
 *
 * HTTP's own way to go on, `Range`, counts bytes of a file that stands still. This one is made while it is sent: a word is
 * written as the dictionary has it at that time, a running visit grows, and nobody knows how long all of it will be.
 *
 * @param signal aborted when the caller goes away.
 * @throws Refusal as `siteFor` does, and `invalid_input` when `after` is no event's id.
 */
export async function exportEvents(
  by: SiteChange,
  { format, after, signal }: { format: Format; after: string | null; signal?: AbortSignal | undefined },
): Promise<Export> {
  const cursor = after === null ? null : readCursor(after);
  if (after !== null && !cursor)
    throw new Refusal("invalid_input", "after is the event_id of the last complete line that you have.");
  const site = await db().$transaction(async (tx) => {
    const site = await siteFor(tx, { kind: "owner", personId: by.personId }, by.siteId, "manager");
    const { personId, siteId, requestId, now } = by;
    const detail = { format, ...(after !== null && { after }) };
    await writeAudit(tx, { at: now, siteId, personId, requestId, operation: "events.export", detail });
    return site;
  });
  const end = new Date(by.now.getTime() - SETTLED_MS);
  const name = `${site.domain}-events-${end.toISOString().slice(0, 10)}${cursor ? "-continued" : ""}.${format}`;
  return { chunks: chunksOf(by, format, cursor, end, signal), type: FORMATS[format].type, fileName: name };
}

async function* chunksOf(by: SiteChange, format: Format, from: Cursor | null, end: Date, signal?: AbortSignal) {
  const { header, write } = FORMATS[format];
  const pages = new EventPages(by.siteId);
  const bounds = { shares: exportShares(by.personId), overBudget: true, deadlineMs: reportDeadlineMs(), signal };
  // A deadline, a turn among the person's reports and the rights of the moment: each page has its own.
  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    await siteFor(db(), { kind: "owner", personId: by.personId }, by.siteId, "manager");
    return asReport(bounds, work);
  };
  if (!from && header !== "") yield BYTE_ORDER_MARK + header;
  let after = from ?? (await ask(() => pages.beginning(new Date(0))));
  while (after) {
    const here: Cursor = after;
    // Only the partition of one month is looked at, and then that of the next month that has events.
    const until = new Date(Math.min(monthAfter(here), end.getTime()));
    const { lines, next } = await ask(() => pages.read(here, until, PAGE_EVENTS));
    if (lines.length > 0) yield lines.map(write).join("");
    after = next ?? (until < end ? await ask(() => pages.beginning(until)) : null);
  }
}

export interface PageRequest {
  /** Where the page before ended; null for the first page. */
  cursor: string | null;
  /** The first moment, inclusive. */
  start: Date;
  /** Exclusive; what is too young to be complete is left out in any case. */
  end: Date;
  /** The most rows. */
  limit: number;
  now: Date;
}

/**
 * One page of the rows that an export has, in the same order.
 *
 * @returns the rows, and the cursor of the next page; null when there are no more rows.
 * @throws Refusal `invalid_input` for what is no cursor.
 */
export async function exportPage(
  siteId: number,
  { cursor, start, end, limit, now }: PageRequest,
): Promise<{ rows: EventLine[]; cursor: string | null }> {
  const given = cursor === null ? null : readCursor(cursor);
  if (cursor !== null && !given) {
    throw invalidInput([{ path: "cursor", message: "must be the cursor of the previous page" }]);
  }
  const pages = new EventPages(siteId);
  const last = new Date(Math.min(end.getTime(), now.getTime() - SETTLED_MS));
  const lines: EventLine[] = [];
  let after = given && isFrom(given, start) ? given : await pages.beginning(start);
  // One more than asked for says whether there is a further page.
  while (after && lines.length <= limit) {
    const until = new Date(Math.min(monthAfter(after), last.getTime()));
    const { lines: more, next } = await pages.read(after, until, limit + 1 - lines.length);
    lines.push(...more);
    after = next ?? (until < last ? await pages.beginning(until) : null);
  }
  const rows = lines.slice(0, limit);
  return { rows, cursor: lines.length > limit ? (rows.at(-1)?.event_id ?? null) : null };
}

const isFrom = ({ at }: Cursor, start: Date): boolean => BigInt(at) >= BigInt(start.getTime()) * 1000n;

/** In UTC, as facts are partitioned. */
function monthAfter({ at }: Cursor): number {
  const day = new Date(Number(BigInt(at) / 1000n));
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
}
