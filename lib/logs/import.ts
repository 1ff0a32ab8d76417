import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import { MAX_PAGES_PER_MINUTE } from "@/lib/ingest/enrich/classify";
import { isReader, recogniseRobot } from "@/lib/ingest/enrich/robots";
import { identifyLines } from "@/lib/logs/line-ids";
import type { ReadLine } from "@/lib/logs/lines";
import { asksForPage, gotError, gotPage, type LogLine, readLogLine } from "@/lib/logs/log-line";
import { type Destination, postLogEvents } from "@/lib/logs/post";
import { belongsTo } from "@/lib/platform/domain-names";
import { DAY_MS } from "@/lib/platform/durations";
import { OperatorError } from "@/lib/platform/errors";

/** Imports pageviews from an access log through the Measurement Protocol: those of crawlers, which run no script. */

export interface ImportOptions extends Destination {
  /** A domain of the site, because most logs contain only paths. */
  site: string;
  /** Include human visitors: only for pages without the browser script. */
  all: boolean;
  /** The first line to send, from 1; earlier lines are only read. */
  from: number;
  /** The part of the log that is not read, from an earlier import. */
  skipped?: Omit<LogPosition, "next">;
  /** Called after every batch. */
  progress?(sums: ImportResult): void;
}

/** Where to resume in a log. */
export interface LogPosition {
  /** Number of lines that need not be read again. */
  lines: number;
  /** Length of those lines in bytes. */
  offset: number;
  /** The first line that is not finished, from 1. */
  next: number;
}

/** Totals of an import. */
export interface ImportResult extends LogPosition {
  /** The first line to send, as requested. */
  from: number;
  /** Lines in an unknown format. */
  unreadable: number;
  /** Pages of other hosts. */
  otherHosts: number;
  /** Pages that one address and browser opened faster than people can. */
  tooFast: number;
  /** Pages that are more than a day old. */
  late: number;
  /** The last line that was read. */
  line: number;
  /** Whether the last line has no line break and was skipped. */
  unfinished: boolean;
  sent: number;
  stored: number;
  duplicate: number;
  filtered: number;
  invalid: number;
  error: number;
  /** The first line that failed and can be retried; Infinity when none did. */
  failed: number;
  /** Whether the server has accepted a signed address. */
  signatureAccepted: boolean;
  /** The first invalid or failed lines, with the reason. */
  faults: { line: number; message: string }[];
}

/** The import stopped before the end of the log. `sums` contains the totals so far and where to resume. */
export class ImportStopped extends OperatorError {
  constructor(
    message: string,
    readonly sums: ImportResult,
  ) {
    super(message);
  }
}

interface Batch {
  lines: number[];
  /** Events as JSON. */
  events: string[];
  bytes: number;
}

/** The server accepts up to 100 events and 1 MiB per batch. */
const MAX_BATCH_EVENTS = 100;
const MAX_BATCH_BYTES = 900_000;
/** Maximum size of all unsent batches; beyond it all are sent. Fuller batches make the import faster. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
const MAX_FAULTS = 20;
/** Number of earlier lines to read again, because ids and rate checks depend on them. */
const OVERLAP = 1_000;
const LATE_MS = DAY_MS;

/**
 * Imports the lines of a log, in constant memory. Each request contains the events of one signed address. Event ids are
 * derived from the lines, so importing a line again adds nothing.
 *
 * @throws ImportStopped when the server refuses events, or the log cannot be read.
 */
export async function importLog(lines: AsyncIterable<ReadLine>, options: ImportOptions): Promise<ImportResult> {
  const checkpoints = [options.skipped ?? { lines: 0, offset: 0 }];
  const sums = emptySums(options.from, checkpoints[0]?.lines ?? 0);
  const waiting = new Map<string, Batch>();
  try {
    await run(lines, waiting, options, sums, checkpoints);
    return withPosition(sums, waiting, checkpoints);
  } catch (error) {
    throw new ImportStopped(
      error instanceof Error ? error.message : `${error}`,
      withPosition(sums, waiting, checkpoints),
    );
  }
}

/** Adds the position to resume at: the first unsent or failed line, or the line after the last. */
function withPosition(
  sums: ImportResult,
  waiting: Map<string, Batch>,
  checkpoints: Omit<LogPosition, "next">[],
): ImportResult {
  const open = [...waiting.values()].flatMap((batch) => batch.lines.slice(0, 1));
  const next = Math.max(sums.from, Math.min(sums.line + 1, sums.failed, ...open));
  return { ...sums, ...(checkpoints.findLast(({ lines }) => lines < next - OVERLAP) ?? checkpoints[0]), next };
}

async function run(
  lines: AsyncIterable<ReadLine>,
  waiting: Map<string, Batch>,
  options: ImportOptions,
  sums: ImportResult,
  checkpoints: Omit<LogPosition, "next">[],
): Promise<void> {
  const idOf = identifyLines(options.site);
  const isTooFast = rateCheck();
  const ignored = emptySums(0, 0);
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
    // The server is still writing this line, and half a line would get a different id.
    sums.unfinished = !ended;
    if (!ended) break;
    sums.line++;
    if (sums.line % OVERLAP === 0) checkpoints.push({ lines: sums.line, offset: (checkpoints[0]?.offset ?? 0) + end });
    const counted = sums.line < options.from ? ignored : sums;
    const line = text === "" ? null : readLogLine(text);
    if (text !== "" && !line) counted.unreadable++;
    if (!line || !isWanted(line, options, counted, isTooFast)) continue;
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
    if (batch.events.length === MAX_BATCH_EVENTS || batch.bytes > MAX_BATCH_BYTES) await flush(line.address);
    if (bytes > MAX_BUFFERED_BYTES) for (const address of [...waiting.keys()]) await flush(address);
  }
  for (const address of [...waiting.keys()]) await flush(address);
}

const emptySums = (from: number, line: number): ImportResult => ({
  from,
  next: from,
  line,
  lines: 0,
  offset: 0,
  failed: Number.POSITIVE_INFINITY,
  signatureAccepted: false,
  unreadable: 0,
  otherHosts: 0,
  tooFast: 0,
  late: 0,
  unfinished: false,
  sent: 0,
  stored: 0,
  duplicate: 0,
  filtered: 0,
  invalid: 0,
  error: 0,
  faults: [],
});

/**
 * Whether to send a line: a page of the site requested by a robot, or by anyone with `all`. Errors are sent only of robots
 * that the AI report lists: those of scanners and broken links would be thousands of pages that do not exist.
 */
function isWanted(
  line: LogLine,
  { site, all }: ImportOptions,
  sums: ImportResult,
  isTooFast: (line: LogLine) => boolean,
): boolean {
  if (!asksForPage(line)) return false;
  const robot = recogniseRobot(line.userAgent);
  if (!robot && !all) return false;
  const isWhole = gotPage(line) || (gotError(line) && robot !== null && isReader(robot));
  if (!isWhole) return false;
  if (line.host !== null && !belongsTo(line.host.toLowerCase(), [site])) {
    sums.otherHosts++;
    return false;
  }
  if (robot || !isTooFast(line)) return true;
  sums.tooFast++;
  return false;
}

/**
 * Applies the server's limit on how fast people open pages, by the times in the log. The server cannot apply it itself,
 * because an import sends a month of events within minutes.
 */
function rateCheck(): (line: LogLine) => boolean {
  const opened = new LRUCache<string, number>({ max: 100_000 });
  return ({ address, userAgent, at }) => {
    const minute = Math.floor(at.getTime() / 60_000);
    const key = createHash("sha256").update(`${minute}\n${address}\n${userAgent}`).digest("base64url");
    const pages = (opened.get(key) ?? 0) + 1;
    opened.set(key, pages);
    return pages > MAX_PAGES_PER_MINUTE;
  };
}

function eventOf({ target, host, referrer, userAgent, status }: LogLine, site: string, id: string): string {
  const url = target.startsWith("/") ? `https://${host ?? site}${target}` : target;
  const page = { url: cut(url, 4096), referrer: referrer === null ? null : cut(referrer, 4096), status };
  return JSON.stringify({ type: "page", event_id: id, context: { page, user_agent: cut(userAgent, 1000) } });
}

const cut = (text: string, maxLength: number) => text.slice(0, maxLength).toWellFormed();

/** Until the server has accepted a signature, sends one event first: at most one is stored without its address. */
async function post(address: string, batch: Batch, options: ImportOptions, sums: ImportResult): Promise<void> {
  const alone = sums.signatureAccepted || isIP(address) === 0 ? 0 : 1;
  if (alone > 0) await postPart(address, batch, 0, alone, options, sums);
  sums.signatureAccepted ||= alone > 0;
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
  const { counts, results } = await postLogEvents(address, batch.events.slice(from, to), options);
  sums.sent += to - from;
  for (const result of ["stored", "duplicate", "filtered", "invalid", "error"] as const) sums[result] += counts[result];
  for (const { index, status, message = status } of results) {
    const line = batch.lines[from + index];
    if ((status !== "invalid" && status !== "error") || line === undefined) continue;
    if (status === "error") sums.failed = Math.min(sums.failed, line);
    if (sums.faults.length < MAX_FAULTS) sums.faults.push({ line, message });
  }
}
