import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import { recogniseRobot } from "@/lib/ingest/enrich/robots";
import { MAX_PAGES_PER_MINUTE } from "@/lib/ingest/enrich/suspicion";
import { identifyLines } from "@/lib/logs/line-ids";
import type { ReadLine } from "@/lib/logs/lines";
import { isPage, type LogLine, readLogLine } from "@/lib/logs/log-line";
import { type Destination, postEvents } from "@/lib/logs/post";
import { belongsTo } from "@/lib/platform/domain-names";

/** Posts the pages of an access log to the Measurement Protocol: what crawlers read, who run no script. */

export interface ImportOptions extends Destination {
  /** A domain of the site: most logs know only paths. */
  site: string;
  /** Also people, whom the browser script counts already where it is. */
  all: boolean;
  /** The first line to send, from 1; those before are only read. */
  from: number;
  /** What of the log is not read at all, because an earlier import was there. */
  skipped?: Omit<LogPosition, "next">;
  /** Is told how far it is, after every batch. */
  progress?(sums: ImportResult): void;
}

/** Where to go on in a log. */
export interface LogPosition {
  /** Lines that need not be read again. */
  lines: number;
  /** The bytes that they have. */
  offset: number;
  /** The first line that is not done, from 1. */
  next: number;
}

/** What became of a log. */
export interface ImportResult extends LogPosition {
  /** The first line that was to be sent. */
  from: number;
  /** Lines of no form that is known. */
  unreadable: number;
  /** Pages of hosts that are not of the domain. */
  elsewhere: number;
  /** Pages that one address and browser opened faster than people do. */
  hasty: number;
  /** Pages that were sent a day or more after they were read. */
  late: number;
  /** The last line that was read. */
  line: number;
  /** Whether the last line has no end, and was left. */
  unfinished: boolean;
  sent: number;
  stored: number;
  duplicate: number;
  filtered: number;
  invalid: number;
  error: number;
  /** The first line that failed, and may go in later; infinite when none did. */
  failed: number;
  /** Whether the server has taken a signature. */
  proven: boolean;
  /** The first lines that were invalid or failed, and why. */
  faults: { line: number; message: string }[];
}

/** The import ended before the log did. `sums` says what was done, and where to go on. */
export class ImportStopped extends Error {
  constructor(
    message: string,
    readonly sums: ImportResult,
  ) {
    super(message);
  }
}

interface Batch {
  lines: number[];
  /** Each as JSON. */
  events: string[];
  bytes: number;
}

/** What the server takes in one batch is a hundred events and a MiB. */
const MOST_EVENTS = 100;
const MOST_BYTES = 900_000;
/** Bytes of events that wait for others of their address; when there are more, all go. The fuller the batches, the faster. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
const MOST_FAULTS = 20;
/** Lines before the next one that are read again, for ids and pace go by what came shortly before. */
const OVERLAP = 1_000;
const LATE_MS = 24 * 3600_000;

/**
 * Imports the lines of a log, in constant memory. A request carries the events of one address, which it signs. Ids are
 * made from the lines, so that a line that was imported before is a duplicate and adds nothing.
 *
 * @throws ImportStopped when the server takes no more, or the log cannot be read on.
 */
export async function importLog(lines: AsyncIterable<ReadLine>, options: ImportOptions): Promise<ImportResult> {
  const places = [options.skipped ?? { lines: 0, offset: 0 }];
  const sums = noSums(options.from, places[0]?.lines ?? 0);
  const waiting = new Map<string, Batch>();
  try {
    await run(lines, waiting, options, sums, places);
    return goOn(sums, waiting, places);
  } catch (error) {
    throw new ImportStopped(error instanceof Error ? error.message : `${error}`, goOn(sums, waiting, places));
  }
}

/** Finds where to go on: at the first line that waits or failed, else after the last. */
function goOn(sums: ImportResult, waiting: Map<string, Batch>, places: Omit<LogPosition, "next">[]): ImportResult {
  const open = [...waiting.values()].flatMap((batch) => batch.lines.slice(0, 1));
  const next = Math.max(sums.from, Math.min(sums.line + 1, sums.failed, ...open));
  return { ...sums, ...(places.findLast(({ lines }) => lines < next - OVERLAP) ?? places[0]), next };
}

async function run(
  lines: AsyncIterable<ReadLine>,
  waiting: Map<string, Batch>,
  options: ImportOptions,
  sums: ImportResult,
  places: Omit<LogPosition, "next">[],
): Promise<void> {
  const idOf = identifyLines(options.site);
  const tooFast = pace();
  const before = noSums(0, 0);
  let bytes = 0;
  const flush = async (address: string) => {
    const batch = waiting.get(address);
    if (!batch) return;
    await post(address, batch, options, sums);
    waiting.delete(address);
    bytes -= batch.bytes;
    options.progress?.(sums);
  };
  for await (const { text, ended, end } of lines) {
    // Its rest is still to be written: half a line would have another id than the whole.
    sums.unfinished = !ended;
    if (!ended) break;
    sums.line++;
    if (sums.line % OVERLAP === 0) places.push({ lines: sums.line, offset: (places[0]?.offset ?? 0) + end });
    const told = sums.line < options.from ? before : sums;
    const line = text === "" ? null : readLogLine(text);
    if (text !== "" && !line) told.unreadable++;
    if (!line || !isWanted(line, options, told, tooFast)) continue;
    const id = idOf(text);
    if (sums.line < options.from) continue;
    if (options.now().getTime() - line.at.getTime() > LATE_MS) sums.late++;
    const batch = waiting.get(line.address) ?? { lines: [], events: [], bytes: 0 };
    waiting.set(line.address, batch);
    batch.lines.push(sums.line);
    const event = eventOf(line, options.site, id);
    batch.events.push(event);
    batch.bytes += Buffer.byteLength(event);
    bytes += Buffer.byteLength(event);
    if (batch.events.length === MOST_EVENTS || batch.bytes > MOST_BYTES) await flush(line.address);
    if (bytes > MOST_WAITING_BYTES) for (const address of [...waiting.keys()]) await flush(address);
  }
  for (const address of [...waiting.keys()]) await flush(address);
}

const noSums = (from: number, line: number): ImportResult => ({
  ...{ from, next: from, line, lines: 0, offset: 0, failed: Number.POSITIVE_INFINITY, proven: false },
  ...{ unreadable: 0, elsewhere: 0, hasty: 0, late: 0, unfinished: false },
  ...{ sent: 0, stored: 0, duplicate: 0, filtered: 0, invalid: 0, error: 0, faults: [] },
});

/** Whether a line goes to the server: a page of the site that a robot read, or with the flag anybody. */
function isWanted(
  line: LogLine,
  { site, all }: ImportOptions,
  sums: ImportResult,
  tooFast: (line: LogLine) => boolean,
): boolean {
  if (!isPage(line)) return false;
  const isRobot = recogniseRobot(line.userAgent) !== null;
  if (!isRobot && !all) return false;
  if (line.host !== null && !belongsTo(line.host.toLowerCase(), [site])) {
    sums.elsewhere++;
    return false;
  }
  if (isRobot || !tooFast(line)) return true;
  sums.hasty++;
  return false;
}

/**
 * The server's rule for how fast people open pages, by the times of the log. The server cannot hold it here: a month
 * of a log reaches it within a minute.
 */
function pace(): (line: LogLine) => boolean {
  const opened = new LRUCache<string, number>({ max: 100_000 });
  return ({ address, userAgent, at }) => {
    const minute = Math.floor(at.getTime() / 60_000);
    const key = createHash("sha256").update(`${minute}\n${address}\n${userAgent}`).digest("base64url");
    const pages = (opened.get(key) ?? 0) + 1;
    opened.set(key, pages);
    return pages > MAX_PAGES_PER_MINUTE;
  };
}

function eventOf({ target, host, referrer, userAgent }: LogLine, site: string, id: string): string {
  const url = target.startsWith("/") ? `https://${host ?? site}${target}` : target;
  const page = { url: cut(url, 4096), referrer: referrer === null ? null : cut(referrer, 4096) };
  return JSON.stringify({ type: "page", event_id: id, context: { page, user_agent: cut(userAgent, 1000) } });
}

const cut = (text: string, most: number) => text.slice(0, most).toWellFormed();

/** Until a signature was taken, one event goes alone: if none is, not a whole batch is stored without its address. */
async function post(address: string, batch: Batch, options: ImportOptions, sums: ImportResult): Promise<void> {
  const alone = sums.proven || isIP(address) === 0 ? 0 : 1;
  if (alone > 0) await postPart(address, batch, 0, alone, options, sums);
  sums.proven ||= alone > 0;
  if (batch.events.length > alone) await postPart(address, batch, alone, batch.events.length, options, sums);
}

async function postPart(
  address: string,
  batch: Batch,
  from: number,
  to: number,
  options: ImportOptions,
  sums: ImportResult,
): Promise<void> {
  const { counts, results } = await postEvents(address, batch.events.slice(from, to), options);
  sums.sent += to - from;
  for (const result of ["stored", "duplicate", "filtered", "invalid", "error"] as const) sums[result] += counts[result];
  for (const { index, status, message = status } of results) {
    const line = batch.lines[from + index];
    if ((status !== "invalid" && status !== "error") || line === undefined) continue;
    if (status === "error") sums.failed = Math.min(sums.failed, line);
    if (sums.faults.length < MOST_FAULTS) sums.faults.push({ line, message });
  }
}
