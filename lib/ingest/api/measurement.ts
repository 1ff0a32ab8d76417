import type { TrafficClass } from "@/lib/contract/vocabulary";
import { type BatchEvent, readBatchEvent, settle } from "@/lib/ingest/api/batch-event";
import { BATCH_LIMIT_BYTES } from "@/lib/ingest/api/body-limits";
import type { Warning } from "@/lib/ingest/api/commerce";
import { challengeOf, noSuchKey, requireKey } from "@/lib/ingest/api/keys";
import { type Fault, LARGEST_EVENT_BYTES, toParsedEvent } from "@/lib/ingest/api/measured";
import type { MeasuredEvent } from "@/lib/ingest/api/measurement-schema";
import { recordingRefusals, recordRefusal } from "@/lib/ingest/api/refused";
import { ingestEvent } from "@/lib/ingest/api/take-in";
import { FILTER_REASONS } from "@/lib/ingest/event/values";
import { type SiteSalts, saltsFor } from "@/lib/ingest/identity/salts";
import { type Arrival, describeDuplicate } from "@/lib/ingest/pipeline/debug-record";
import type { Sender } from "@/lib/ingest/pipeline/pipeline";
import type { ParsedEvent } from "@/lib/ingest/pipeline/schema";
import { type ClientIp, readClientIp } from "@/lib/ingest/site/client-ip";
import { limitKey, limitQuota } from "@/lib/ingest/site/limits";
import { type IngestSite, siteById } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { FreshIds } from "@/lib/ingest/store/event-id";
import type { Outcome } from "@/lib/ingest/store/event-row";
import { showInLiveWindow } from "@/lib/ingest/store/live-window";
import { NotWritten } from "@/lib/ingest/store/not-written";
import { countOutcome } from "@/lib/ingest/store/stats/ingest-stats";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, noteFault, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { readJson } from "@/lib/platform/json";

const surface = "measurement_protocol";
export const MOST_EVENTS = 100;
const RETRY_SECONDS = 2;

/** What becomes of an event, in the words of the requirement. */
export const RESULTS = ["stored", "duplicate", "filtered", "invalid", "error"] as const;

/** What became of one event. `pointer` (RFC 6901) leads from the body to what is wrong. */
export interface Result {
  index: number;
  /** The sender's or ours; null when the event is invalid and had none that is good. */
  event_id: string | null;
  status: (typeof RESULTS)[number];
  /** Of a stored event: the class of traffic that it counts in. */
  class?: TrafficClass;
  code?: string;
  message?: string;
  pointer?: string;
  /** What of a stored event could not be interpreted; left out when all of it could. */
  warnings?: Warning[];
}

/** What the events of one batch have in common. */
interface Batch {
  site: IngestSite;
  /** Throws what kept them from being read, which each event tells as its own end. */
  salts(): SiteSalts;
  /** The visitor's, as far as their server has signed it; never the server's own. */
  address: string | null;
  arrival: Arrival;
  ids: FreshIds;
  /** Whom its events were found to be about so far. */
  known: NonNullable<Sender["known"]>;
  requestId: string;
  now: Date;
  /** Of the event with index 0; the others follow one by one. */
  firstTimestamp: number;
}

/**
 * `POST /api/v1/events`, the Measurement Protocol: 1 to 100 events of the site whose ingest key is the bearer. Each event
 * has its own result, told after it is committed; see `contract/errors.ts` for each "no" to the whole.
 *
 * @param caller the address the request came from, which is counted against guessing and otherwise nobody's.
 */
export async function measure(request: Incoming, caller: { address: string | null; now: Date }): Promise<Answer> {
  const requestId = requestIdOf(request);
  const { now } = caller;
  const firstTimestamp = reserveTimestamps(now, MOST_EVENTS);
  try {
    const ended = (siteId: number) => recordRefusal({ siteId, now, surface }, noSuchKey());
    const key = await requireKey(request, caller, ended);
    const site = await siteById(key.siteId);
    if (!site) throw noSuchKey();
    const attempt = { siteId: site.id, now, surface } as const;
    const { body, events } = await recordingRefusals(attempt, async () => {
      limitKey(key.id, now);
      const body = await readBody(request, BATCH_LIMIT_BYTES, ["application/json"]);
      return { body, events: eventsOf(readJson(body)) };
    });
    await recordingRefusals({ ...attempt, events: events.length }, () => limitQuota(site.id, now));
    const salts = await settle(saltsFor(site, now));
    const clientIp = readClientIp(request, body, key.secret, now);
    const batch = {
      site,
      salts,
      ...senderOf(clientIp),
      ids: new FreshIds(site.id),
      known: new Map(),
      requestId,
      now,
      firstTimestamp,
    };
    // No event is written before all have been looked up, so that none overtakes another.
    const mayHoldLarge = body.length > LARGEST_EVENT_BYTES;
    const read = await Promise.all(events.map((sent) => readBatchEvent(sent, site.id, mayHoldLarge)));
    const results = await Promise.all(read.map((event, index) => record(event, index, batch)));
    return answerOf(results, clientIp, requestId);
  } catch (error) {
    return refuse(error, requestId, { headers: challengeOf(error) });
  }
}

/** Whose address the events have, and why. */
function senderOf(clientIp: ClientIp): Pick<Batch, "address" | "arrival"> {
  if (clientIp?.accepted) return { address: clientIp.address, arrival: { surface, from: "client_ip" } };
  return { address: null, arrival: { surface, from: "none", rejected: clientIp?.reason } };
}

/** An event as it was sent, and the id that it goes by. */
interface Sent {
  sent: unknown;
  id: string | null;
}

/** The events of a body. @throws Refusal `invalid_input` for anything but an object of 1 to 100 `events`. */
function eventsOf(body: unknown): unknown[] {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (Array.isArray(body) || (isObject && "type" in body && !("events" in body))) throw unwrapped();
  if (!isObject) throw invalidInput([{ path: "", message: `The body must be an object such as ${WRAPPED}` }]);
  const { events, ...more } = body as { events?: unknown };
  const [unknown] = Object.keys(more);
  if (unknown !== undefined)
    throw invalidInput([{ path: namePath(unknown), message: "is not a known field; leave it out" }]);
  if (Array.isArray(events) && events.length >= 1 && events.length <= MOST_EVENTS) return events;
  const missing = events === undefined ? "is required and " : "";
  throw invalidInput([{ path: "events", message: `${missing}must be a list of 1 to ${MOST_EVENTS} events` }]);
}

const WRAPPED = '{"events": [ … ]}';
const unwrapped = () => invalidInput([{ path: "events", message: `is missing: wrap the event in ${WRAPPED}` }]);

const namePath = (name: string) => name.slice(0, 100).toWellFormed().replaceAll("\0", "\ufffd");

/** Stores one event, and tells what became of it. Never throws: its neighbours go their own way. */
async function record(read: BatchEvent, index: number, batch: Batch): Promise<Result> {
  const { site, now, ids } = batch;
  const { sent } = read;
  if ("fault" in read) return invalid(read.fault, index, { sent, id: idOf(sent) }, batch);
  const { event_id: own } = read.event;
  try {
    const { event, warnings } = toParsedEvent(read.event);
    const outcome = read.isStored() ? repeated(batch) : await keep(event, read.event, index, batch);
    if (outcome.status !== "filtered") {
      countOutcome(site.id, now, outcome.status);
      const result = { index, event_id: own ?? ids.stored(index), status: outcome.status };
      if (outcome.status === "duplicate") return result;
      return { ...result, class: outcome.traffic, ...(warnings.length > 0 && { warnings }) };
    }
    const { status, reason } = outcome;
    countOutcome(site.id, now, status, reason);
    return { index, event_id: own ?? ids.other(), status, code: reason, message: FILTER_REASONS[reason] };
  } catch (error) {
    return failed(error, index, { sent, id: own ?? null }, batch);
  }
}

function repeated({ site, arrival, now }: Batch): Outcome {
  showInLiveWindow(site.id, now, () => describeDuplicate(arrival));
  return { status: "duplicate" };
}

function keep(event: ParsedEvent, measured: MeasuredEvent, index: number, batch: Batch): Promise<Outcome> {
  const { site, salts, address, arrival, known, now } = batch;
  const sender: Sender = { address, userAgent: measured.context?.user_agent ?? "", gpc: false, vouched: true, known };
  const timestamp = batch.firstTimestamp + index;
  return ingestEvent(event, { site, salts: salts(), sender, arrival, now, timestamp });
}

/** The id that an invalid event goes by, when that at least is good. */
function idOf(sent: unknown): string | null {
  const id = (sent as { event_id?: unknown } | null)?.event_id;
  return typeof id === "string" && /^[A-Za-z0-9_-]{12,32}$/.test(id) ? id : null;
}

function invalid({ code, path, message }: Fault, index: number, { sent, id }: Sent, batch: Batch): Result {
  const told = sentence(path, message);
  const issues = [{ path: path.map(namePath).join("."), message }];
  recordRefusal({ siteId: batch.site.id, now: batch.now, surface, sent }, new Refusal(code, told, { issues }));
  return { index, event_id: id, status: "invalid", code, message: told, pointer: pointerTo(index, path) };
}

/** What is wrong as one sentence that names its field, as the refusal of a whole request does. */
const sentence = (path: readonly string[], message: string): string =>
  `${path.length > 0 ? path.map(namePath).join(".") : "The event"} ${message}.`;

/** RFC 6901, from the body. */
const pointerTo = (index: number, path: readonly string[]): string =>
  ["", "events", `${index}`, ...path.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");

/** An event that the pipeline refuses is invalid; one that cannot be written now is an error, and may come again. */
function failed(error: unknown, index: number, { sent, id }: Sent, batch: Batch): Result {
  const { site, now, ids, requestId } = batch;
  recordRefusal({ siteId: site.id, now, surface, sent }, error);
  if (error instanceof Refusal && error.code === "invalid_input") {
    const [issue] = (error.details?.issues ?? []) as { path: string; message: string }[];
    const path = issue?.path === "url" ? ["context", "page", "url"] : [];
    const pointer = pointerTo(index, path);
    const message = issue ? sentence(path, issue.message) : error.message;
    return { index, event_id: id, status: "invalid", code: error.code, message, pointer };
  }
  const code = error instanceof Refusal ? error.code : noteFault(error, requestId);
  if (!(error instanceof Refusal)) countOutcome(site.id, now, "refused", code);
  const message = "The event could not be stored now; send it again, with the same event_id.";
  const doubt = error instanceof NotWritten ? error.doubt : null;
  const ours = doubt ? ids.inDoubt(doubt) : ids.other();
  return { index, event_id: id ?? ours, status: "error", code, message };
}

/** One answer for all: 200 when every event fared alike, 207 when they did not, 422 and 503 when none went well. */
function answerOf(results: Result[], clientIp: ClientIp, requestId: string): Answer {
  const counts = { stored: 0, duplicate: 0, filtered: 0, invalid: 0, error: 0 };
  for (const { status } of results) counts[status]++;
  const told = {
    results,
    counts,
    ...(clientIp && { client_ip: clientIp.accepted ? { accepted: true } : clientIp }),
    request_id: requestId,
  };
  if (counts.invalid === results.length) {
    const issues = results.map(({ pointer = "", message = "" }) => ({ path: pointer, message }));
    const error = {
      code: "invalid_input",
      message: "No event of the batch is valid; results say why.",
      details: { issues },
    };
    return answer(422, { error, ...told }, requestId);
  }
  if (counts.error === results.length) {
    const message = "No event could be stored now; send the batch again, with the same event ids.";
    const retry = { "retry-after": `${RETRY_SECONDS}` };
    return answer(503, { error: { code: "unavailable", message }, ...told }, requestId, retry);
  }
  return answer(Object.values(counts).includes(results.length) ? 200 : 207, told, requestId);
}
