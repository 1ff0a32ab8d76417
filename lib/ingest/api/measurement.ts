import type { TrafficClass } from "@/lib/contract/vocabulary";
import type { Warning } from "@/lib/ingest/api/commerce";
import { ingestEvent, recordingRefusals, recordRefusal } from "@/lib/ingest/api/ingest-event";
import { challengeOf, invalidKey, requireKey } from "@/lib/ingest/api/keys";
import { type EventFault, MAX_EVENT_BYTES, type MeasuredSent, readMeasured } from "@/lib/ingest/api/measured-event";
import { BATCH_LIMIT_BYTES } from "@/lib/ingest/api/requests";
import { FILTER_REASONS, type Outcome } from "@/lib/ingest/event/decided-event";
import { type SiteSalts, saltsFor } from "@/lib/ingest/identity/salts";
import { type Arrival, describeDuplicate } from "@/lib/ingest/pipeline/debug-record";
import type { Sender } from "@/lib/ingest/pipeline/sender";
import { type ClientIp, readClientIp } from "@/lib/ingest/site/client-ip";
import { limitKey, limitQuota } from "@/lib/ingest/site/limits";
import { type IngestSite, siteById } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { FreshIds, isStored, NotWritten } from "@/lib/ingest/store/event-id";
import { showInLiveWindow } from "@/lib/ingest/store/live-window";
import { countOutcome } from "@/lib/ingest/store/stats/ingest-stats";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, logFault, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { readJson } from "@/lib/platform/json";

const surface = "measurement_protocol";
export const MAX_BATCH_EVENTS = 100;
const RETRY_SECONDS = 2;

/** The possible results of an event. */
export const RESULTS = ["stored", "duplicate", "filtered", "invalid", "error"] as const;

/** The result of one event. `pointer` (RFC 6901) leads from the body to the invalid part. */
export interface Result {
  index: number;
  /** The sender's or a generated id; null when the event is invalid and had no valid id. */
  event_id: string | null;
  status: (typeof RESULTS)[number];
  /** The traffic class of a stored event. */
  class?: TrafficClass;
  code?: string;
  message?: string;
  pointer?: string;
  /** What could not be interpreted in a stored event; omitted if empty. */
  warnings?: Warning[];
}

/** The shared context of the events of one batch. */
interface Batch {
  site: IngestSite;
  /** Returns the salts, or throws the error of reading them, which then fails each event on its own. */
  salts(): SiteSalts;
  /** The visitor's address, if the server signed one; never the server's own. */
  address: string | null;
  arrival: Arrival;
  ids: FreshIds;
  /** Identities computed for its events so far. */
  known: NonNullable<Sender["known"]>;
  requestId: string;
  now: Date;
  /** Timestamp of the event with index 0; the others follow consecutively. */
  firstTimestamp: number;
}

/**
 * Handles `POST /api/v1/events`, the Measurement Protocol: 1 to 100 events of the site whose ingest key is the bearer
 * token. Each event has its own result, sent after it is committed; see `contract/errors.ts` for refusals of the whole
 * batch.
 *
 * @param caller the address the request came from, used only to limit guessing.
 */
export async function measure(request: Incoming, caller: { address: string | null; now: Date }): Promise<Answer> {
  const requestId = requestIdOf(request);
  const { now } = caller;
  const firstTimestamp = reserveTimestamps(now, MAX_BATCH_EVENTS);
  try {
    const { key, site } = await requireSender(request, caller);
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
    // All ids are looked up before the first event is written, so that events keep their order.
    const mayHoldLarge = body.length > MAX_EVENT_BYTES;
    const read = await Promise.all(events.map((sent) => readBatchEvent(sent, site.id, mayHoldLarge)));
    const results = await Promise.all(read.map((event, index) => record(event, index, batch)));
    return answerOf(results, clientIp, requestId);
  } catch (error) {
    return refuse(error, requestId, { headers: challengeOf(error) });
  }
}

/**
 * Returns the answer to a batch whose body has not been read: 204 when its ingest key is valid, otherwise the refusal.
 */
export async function checkKey(request: Incoming, caller: { address: string | null; now: Date }): Promise<Answer> {
  const requestId = requestIdOf(request);
  try {
    await requireSender(request, caller);
    return { status: 204, headers: {}, body: "" };
  } catch (error) {
    return refuse(error, requestId, { headers: challengeOf(error) });
  }
}

async function requireSender(request: Incoming, caller: { address: string | null; now: Date }) {
  const onEnded = (siteId: number) => recordRefusal({ siteId, now: caller.now, surface }, invalidKey());
  const key = await requireKey(request, caller, onEnded);
  const site = await siteById(key.siteId);
  if (!site) throw invalidKey();
  return { key, site };
}

/** Returns the address that the events have, and where it comes from. */
function senderOf(clientIp: ClientIp): Pick<Batch, "address" | "arrival"> {
  if (clientIp?.accepted) return { address: clientIp.address, arrival: { surface, from: "client_ip" } };
  return { address: null, arrival: { surface, from: "none", rejected: clientIp?.reason } };
}

/** Waits for the promise and returns a function that returns its value or throws its error. */
const settle = <T>(promise: Promise<T>): Promise<() => T> =>
  promise.then(
    (value) => () => value,
    (error) => () => {
      throw error;
    },
  );

/** One event of a batch as it was sent, and how it was read. */
type BatchEvent = { sent: unknown } & (
  | { fault: EventFault }
  /** `isStored` returns whether an event with its id is stored. @throws the error of that lookup. */
  | (MeasuredSent & { isStored(): boolean })
);

async function readBatchEvent(sent: unknown, siteId: number, mayBeLarge: boolean): Promise<BatchEvent> {
  const read = readMeasured(sent, mayBeLarge);
  if ("fault" in read) return { sent, fault: read.fault };
  const { event_id: id } = read.event;
  return { sent, ...read, isStored: await settle(Promise.resolve(id ? isStored(id, siteId) : false)) };
}

/** An event as it was sent, and its id. */
interface Identified {
  sent: unknown;
  id: string | null;
}

/** Returns the events of a body. @throws Refusal `invalid_input` unless it is an object with 1 to 100 `events`. */
function eventsOf(body: unknown): unknown[] {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (Array.isArray(body) || (isObject && "type" in body && !("events" in body))) throw notWrapped();
  if (!isObject) throw invalidInput([{ path: "", message: `The body must be an object such as ${WRAPPED}` }]);
  const { events, ...more } = body as { events?: unknown };
  const [unknown] = Object.keys(more);
  if (unknown !== undefined)
    throw invalidInput([{ path: namePath(unknown), message: "is not a known field; leave it out" }]);
  if (Array.isArray(events) && events.length >= 1 && events.length <= MAX_BATCH_EVENTS) return events;
  const missing = events === undefined ? "is required and " : "";
  throw invalidInput([{ path: "events", message: `${missing}must be a list of 1 to ${MAX_BATCH_EVENTS} events` }]);
}

const WRAPPED = '{"events": [ … ]}';
const notWrapped = () => invalidInput([{ path: "events", message: `is missing: wrap the event in ${WRAPPED}` }]);

const namePath = (name: string) => name.slice(0, 100).toWellFormed().replaceAll("\0", "\ufffd");

/** Stores one event and returns its result. Never throws, so that other events of the batch are not affected. */
async function record(read: BatchEvent, index: number, batch: Batch): Promise<Result> {
  const { site, now, ids } = batch;
  const { sent } = read;
  if ("fault" in read) return invalid(read.fault, index, { sent, id: idOf(sent) }, batch);
  const { event_id: sentId } = read.event;
  try {
    const outcome = read.isStored() ? duplicate(batch) : await ingest(read, index, batch);
    if (outcome.status !== "filtered") {
      countOutcome(site.id, now, outcome.status);
      const result = { index, event_id: sentId ?? ids.stored(index), status: outcome.status };
      if (outcome.status === "duplicate") return result;
      return { ...result, class: outcome.traffic, ...(read.warnings.length > 0 && { warnings: read.warnings }) };
    }
    const { status, reason } = outcome;
    countOutcome(site.id, now, status, reason);
    return { index, event_id: sentId ?? ids.other(), status, code: reason, message: FILTER_REASONS[reason] };
  } catch (error) {
    return failed(error, index, { sent, id: sentId ?? null }, batch);
  }
}

function duplicate({ site, arrival, now }: Batch): Outcome {
  showInLiveWindow(site.id, now, () => describeDuplicate(arrival));
  return { status: "duplicate" };
}

function ingest({ event, userAgent }: MeasuredSent, index: number, batch: Batch): Promise<Outcome> {
  const { site, salts, address, arrival, known, now } = batch;
  const sender: Sender = { address, userAgent, gpc: false, vouched: true, known };
  const timestamp = batch.firstTimestamp + index;
  return ingestEvent(event, { site, salts: salts(), sender, arrival, now, timestamp });
}

/** Returns the id of an invalid event, if the id itself is valid. */
function idOf(sent: unknown): string | null {
  const id = (sent as { event_id?: unknown } | null)?.event_id;
  return typeof id === "string" && /^[A-Za-z0-9_-]{12,32}$/.test(id) ? id : null;
}

function invalid({ code, path, message }: EventFault, index: number, { sent, id }: Identified, batch: Batch): Result {
  const text = sentence(path, message);
  const issues = [{ path: path.map(namePath).join("."), message }];
  recordRefusal({ siteId: batch.site.id, now: batch.now, surface, sent }, new Refusal(code, text, { issues }));
  return { index, event_id: id, status: "invalid", code, message: text, pointer: pointerTo(index, path) };
}

/** Formats an issue as a sentence that names its field, like the refusal of a whole request. */
const sentence = (path: readonly string[], message: string): string =>
  `${path.length > 0 ? path.map(namePath).join(".") : "The event"} ${message}.`;

/** JSON pointer (RFC 6901) from the body. */
const pointerTo = (index: number, path: readonly string[]): string =>
  ["", "events", `${index}`, ...path.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");

/** An event that the pipeline refuses is invalid; one that cannot be written now is an error and may be sent again. */
function failed(error: unknown, index: number, { sent, id }: Identified, batch: Batch): Result {
  const { site, now, ids, requestId } = batch;
  recordRefusal({ siteId: site.id, now, surface, sent }, error);
  if (error instanceof Refusal && error.code === "invalid_input") {
    const [issue] = (error.details?.issues ?? []) as { path: string; message: string }[];
    const path = issue?.path === "url" ? ["context", "page", "url"] : [];
    const pointer = pointerTo(index, path);
    const message = issue ? sentence(path, issue.message) : error.message;
    return { index, event_id: id, status: "invalid", code: error.code, message, pointer };
  }
  const code = error instanceof Refusal ? error.code : logFault(error, requestId);
  if (!(error instanceof Refusal)) countOutcome(site.id, now, "refused", code);
  const message = "The event could not be stored now; send it again with the same event_id.";
  const doubt = error instanceof NotWritten ? error.doubt : null;
  const generatedId = doubt ? ids.inDoubt(doubt) : ids.other();
  return { index, event_id: id ?? generatedId, status: "error", code, message };
}

/**
 * Returns the response for a batch: 200 when all events have the same status, 207 when they differ, 422 when all are
 * invalid, and 503 when all failed.
 */
function answerOf(results: Result[], clientIp: ClientIp, requestId: string): Answer {
  const counts = { stored: 0, duplicate: 0, filtered: 0, invalid: 0, error: 0 };
  for (const { status } of results) counts[status]++;
  const body = {
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
    return answer(422, { error, ...body }, requestId);
  }
  if (counts.error === results.length) {
    const message = "No event could be stored now; send the batch again with the same event ids.";
    const retry = { "retry-after": `${RETRY_SECONDS}` };
    return answer(503, { error: { code: "unavailable", message }, ...body }, requestId, retry);
  }
  return answer(Object.values(counts).includes(results.length) ? 200 : 207, body, requestId);
}
