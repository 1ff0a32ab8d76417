import {
  MAX_BATCH_EVENTS,
  namePath,
  RETRY_SECONDS,
  type Result,
  storeBatch,
  timesOfBatch,
} from "@/lib/ingest/api/batch";
import { recordingRefusals, recordRefusal } from "@/lib/ingest/api/ingest-event";
import { challengeOf, invalidKey, requireKey } from "@/lib/ingest/api/keys";
import { MAX_EVENT_BYTES, readMeasured } from "@/lib/ingest/api/measured-event";
import type { PathCaller } from "@/lib/ingest/api/page-events";
import { BATCH_LIMIT_BYTES } from "@/lib/ingest/api/requests";
import { readSignature } from "@/lib/ingest/enrich/web-bot-auth";
import type { Arrival } from "@/lib/ingest/pipeline/debug-record";
import { type ClientIp, readClientIp } from "@/lib/ingest/site/forwarded-address";
import { limitKey, requireOpenSite } from "@/lib/ingest/site/limits";
import { siteById } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { invalidInput } from "@/lib/platform/errors";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { isObject, readJson } from "@/lib/platform/json";

const surface = "measurement_protocol";

/**
 * Handles `POST /api/v1/events`, the Measurement Protocol: 1 to 100 events of the site whose ingest key is the bearer
 * token. Each event has its own result, sent after it is committed; see `contract/errors.ts` for refusals of the whole
 * batch.
 *
 * @param caller its address is used only to limit guessing.
 */
export async function measure(request: Incoming, caller: PathCaller): Promise<Answer> {
  const requestId = requestIdOf(request);
  const { now } = caller;
  const firstTimestamp = reserveTimestamps(now, MAX_BATCH_EVENTS);
  try {
    const { key, site } = await requireSender(request, caller);
    const attempt = { siteId: site.id, now, surface } as const;
    const { body, events } = await recordingRefusals(attempt, async () => {
      limitKey(key.id, now);
      const body = await readBody(request, BATCH_LIMIT_BYTES, ["application/json"]);
      return { body, events: eventsOfBody(readJson(body)) };
    });
    await recordingRefusals({ ...attempt, events: events.length }, () => requireOpenSite(site, now));
    const clientIp = readClientIp(request, body, key.secret, now);
    const mayHoldLarge = body.length > MAX_EVENT_BYTES;
    const read = events.map((sent) => ({ sent, ...readMeasured(sent, mayHoldLarge) }));
    const signature = readSignature(request, { path: caller.path, body });
    const times = timesOfBatch(read, firstTimestamp, now);
    const batch = { site, signature, ...senderOf(clientIp), requestId, now, times, list: ["events"] };
    const results = await storeBatch(batch, read);
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
function senderOf(clientIp: ClientIp): { address: string | null; arrival: Arrival } {
  if (clientIp?.accepted) return { address: clientIp.address, arrival: { surface, from: "client_ip" } };
  return { address: null, arrival: { surface, from: "none", rejected: clientIp?.reason } };
}

/** Returns the events of a body. @throws Refusal `invalid_input` unless it is an object with 1 to 100 `events`. */
function eventsOfBody(body: unknown): unknown[] {
  if (Array.isArray(body) || (isObject(body) && "type" in body && !("events" in body))) throw notWrapped();
  if (!isObject(body)) throw invalidInput([{ path: "", message: `The body must be an object such as ${WRAPPED}` }]);
  const { events, ...more } = body;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined)
    throw invalidInput([{ path: namePath(unknown), message: "is not a known field; leave it out" }]);
  if (Array.isArray(events) && events.length >= 1 && events.length <= MAX_BATCH_EVENTS) return events;
  const missing = events === undefined ? "is required and " : "";
  throw invalidInput([{ path: "events", message: `${missing}must be a list of 1 to ${MAX_BATCH_EVENTS} events` }]);
}

const WRAPPED = '{"events": [ … ]}';
const notWrapped = () => invalidInput([{ path: "events", message: `is missing: wrap the event in ${WRAPPED}` }]);

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
