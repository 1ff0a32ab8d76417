import {
  type BatchEvent,
  MAX_BATCH_EVENTS,
  RETRY_SECONDS,
  type Result,
  storeBatch,
  timesOfBatch,
} from "@/lib/ingest/api/batch";
import { recordingRefusals, recordRefusal } from "@/lib/ingest/api/ingest-event";
import { invalidKey, requireLive } from "@/lib/ingest/api/keys";
import { MAX_EVENT_BYTES, readMeasured } from "@/lib/ingest/api/measured-event";
import type { Caller, PathCaller } from "@/lib/ingest/api/page-events";
import { SEGMENT_LIMIT_BYTES } from "@/lib/ingest/api/requests";
import {
  type FromSegment,
  inSegmentNames,
  readSegment,
  refusedAsSegment,
  type SegmentCall,
} from "@/lib/ingest/compat/segment";
import { readSignature } from "@/lib/ingest/enrich/web-bot-auth";
import { publicAddress } from "@/lib/ingest/site/forwarded-address";
import { limitGuesses, limitKey, requireOpenSite } from "@/lib/ingest/site/limits";
import { siteById } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { type Issue, invalidInput, Refusal } from "@/lib/platform/errors";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { findFault, readJson } from "@/lib/platform/json";

/** Takes the calls of Segment's clients, with an ingest key as their write key. */

const surface = "segment";
const MAX_CALLS = 1_000;
const MAX_DEPTH = 7;

/** Handles a call of Segment's HTTP API. @param type the call that its path names; null for a batch. */
export async function collectSegment(type: SegmentCall | null, request: Incoming, caller: PathCaller): Promise<Answer> {
  const requestId = requestIdOf(request);
  const { now } = caller;
  try {
    const given = keyInHeader(request);
    // Whoever shows no key before the body is read may not have many bodies read.
    if (given === null) limitGuesses(caller.address, now);
    const known = given === null ? null : await requireSender(given, caller);
    const body = await readBody(request, SEGMENT_LIMIT_BYTES, ["application/json", "text/plain"]);
    const sent = readJson(body);
    const { key, site } = known ?? (await requireSender(keyInBody(sent), caller));
    const attempt = { siteId: site.id, now, surface } as const;
    const { calls, sentAt } = await recordingRefusals(attempt, () => {
      limitKey(key.id, now);
      return type === null ? callsOf(sent) : { calls: [sent], sentAt: undefined };
    });
    await recordingRefusals({ ...attempt, events: calls.length }, () => requireOpenSite(site, now));
    const firstTimestamp = reserveTimestamps(now, calls.length);
    const list = type === null ? ["batch"] : [];
    const read = calls.map((call) => readCall(call, { type, sentAt, now }, body.length > MAX_EVENT_BYTES));
    const signature = readSignature(request, { path: caller.path, body });
    const results: CallResult[] = [];
    // Of all calls together: calls of one moment keep their order also where they are stored in different parts.
    const times = timesOfBatch(
      read.flatMap(({ event }) => event ?? []),
      firstTimestamp,
      now,
    );
    // Events of a batch get ids by their place in it, of which there are few.
    for (let from = 0; from < read.length; from += MAX_BATCH_EVENTS) {
      const part = read.slice(from, from + MAX_BATCH_EVENTS);
      const arrival = { surface, from: "none" } as const;
      const events = part.flatMap(({ event }) => event ?? []);
      const batch = {
        site,
        address: null,
        signature,
        arrival,
        requestId,
        now,
        times: times.splice(0, events.length),
        list,
      };
      const stored = (await storeBatch(batch, events)).values();
      for (const [index, call] of part.entries())
        results.push(resultOf(call, from + index, call.event ? (stored.next().value as Result) : null, list));
    }
    return answerOf(results, requestId);
  } catch (error) {
    const isUnknown = error instanceof Refusal && error.status === 401;
    const challenge: Record<string, string> = isUnknown ? { "www-authenticate": 'Basic realm="events"' } : {};
    return refusedAsSegment(refuse(error, requestId, { headers: challenge }));
  }
}

/** Returns the key of the header, as the user of Basic or as a bearer; null without such a header. */
function keyInHeader(request: Incoming): string | null {
  const header = request.header("authorization") ?? "";
  const [, basic] = /^basic ([A-Za-z0-9+/_=-]+)$/i.exec(header) ?? [];
  if (basic !== undefined) return Buffer.from(basic, "base64").toString("utf8").split(":", 1)[0] ?? "";
  return /^bearer (.+)$/i.exec(header)?.[1] ?? null;
}

function keyInBody(sent: unknown): string | null {
  const key = (sent as { writeKey?: unknown } | null)?.writeKey;
  return typeof key === "string" ? key : null;
}

async function requireSender(key: string | null, caller: Caller) {
  if (key === null || key === "") {
    throw new Refusal(
      "unauthenticated",
      "Send an ingest key of the site as the write key: as writeKey, or as the user of Basic authorization.",
    );
  }
  const onEnded = (siteId: number) => recordRefusal({ siteId, now: caller.now, surface }, invalidKey());
  const live = await requireLive(key, caller, onEnded);
  const site = await siteById(live.siteId);
  if (!site) throw invalidKey();
  return { key: live, site };
}

/** @throws Refusal `invalid_input` unless the body is an object with 1 to 1,000 calls in `batch`. */
function callsOf(sent: unknown): { calls: unknown[]; sentAt: unknown } {
  const { batch, sentAt } = (typeof sent === "object" && sent !== null ? sent : {}) as Record<string, unknown>;
  if (Array.isArray(batch) && batch.length >= 1 && batch.length <= MAX_CALLS) return { calls: batch, sentAt };
  throw invalidInput([{ path: "batch", message: `must be a list of 1 to ${MAX_CALLS} calls` }]);
}

/** A call with the event that it is; null when there is nothing to store. */
interface Call {
  read: FromSegment;
  event: BatchEvent | null;
  /** Returns a path in the event as the path in the call. */
  named: (path: readonly string[]) => string[];
  ignoredIp: boolean;
}

function readCall(sent: unknown, frame: Parameters<typeof readSegment>[1], mayBeLarge: boolean): Call {
  const type = frame.type ?? (sent as { type?: unknown } | null)?.type;
  const named = (path: readonly string[]) => inSegmentNames(path, sent, type);
  const unstorable = findFault(sent, MAX_DEPTH);
  const read: FromSegment = unstorable ? { messageId: null, fault: unstorable } : readSegment(sent, frame);
  if ("note" in read) return { read, event: null, named, ignoredIp: false };
  const call = { read, named, ignoredIp: false };
  if ("fault" in read) {
    const fault = { code: "invalid_input", ...read.fault } as const;
    return { ...call, event: { sent: sketchOf(sent), fault } };
  }
  const measured = readMeasured(read.event, mayBeLarge);
  if ("fault" in measured) {
    const fault = { ...measured.fault, path: named(measured.fault.path) };
    return { ...call, event: { sent: read.event, fault } };
  }
  const address = read.ip === null ? null : publicAddress(read.ip);
  return {
    ...call,
    ignoredIp: read.ip !== null && address === null,
    event: { sent: read.event, ...measured, address, named },
  };
}

const sketchOf = (sent: unknown): unknown => ({ name: (sent as { event?: unknown } | null)?.event });

interface CallResult extends Omit<Result, "status" | "event_id"> {
  messageId: string | null;
  status: Result["status"] | "ignored";
}

const IGNORED_IP = "is not a public address; it is not used";

function resultOf({ read, named, ignoredIp }: Call, index: number, result: Result | null, list: string[]): CallResult {
  const { messageId } = read;
  if (!result)
    return {
      index,
      messageId,
      status: "ignored",
      message: `The call ${"note" in read ? read.note : "is not stored"}.`,
    };
  const { event_id: _, index: __, pointer, warnings: found = [], ...more } = result;
  const ours = found.map(({ path, message }) => ({
    path: named(path.split(".")).join("."),
    message,
  }));
  const extra: Issue[] = "warnings" in read ? read.warnings : [];
  const warnings =
    result.status === "stored"
      ? [...extra, ...ours, ...(ignoredIp ? [{ path: "context.ip", message: IGNORED_IP }] : [])]
      : [];
  const placed =
    pointer === undefined
      ? {}
      : { pointer: list.length > 0 ? `/batch/${index}${pointer.replace(/^\/batch\/\d+/, "")}` : pointer };
  return { index, messageId, ...more, ...placed, ...(warnings.length > 0 && { warnings }) };
}

/**
 * Returns the answer to calls. Clients read the status alone, and send all calls again unless it is a success or says that
 * they are invalid: what is stored is a duplicate then.
 */
function answerOf(results: CallResult[], requestId: string): Answer {
  const counts = { stored: 0, duplicate: 0, filtered: 0, ignored: 0, invalid: 0, error: 0 };
  for (const { status } of results) counts[status]++;
  const body = { results, counts, request_id: requestId };
  if (counts.error > 0) {
    const message = "Some calls could not be stored now; send them again with the same messageId.";
    const retry = { "retry-after": `${RETRY_SECONDS}` };
    return answer(503, { success: false, message, ...body }, requestId, retry);
  }
  if (counts.invalid === results.length) {
    const message = results.length === 1 ? (results[0]?.message ?? "") : "No call is valid; results say why.";
    return answer(400, { success: false, message, ...body }, requestId);
  }
  return answer(200, { success: true, ...body }, requestId);
}
