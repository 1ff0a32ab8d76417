import type { TrafficClass } from "@/lib/contract/vocabulary";
import type { Warning } from "@/lib/ingest/api/commerce";
import { ingestEvent, recordRefusal } from "@/lib/ingest/api/ingest-event";
import type { EventFault, MeasuredSent } from "@/lib/ingest/api/measured-event";
import type { RequestSignature } from "@/lib/ingest/enrich/web-bot-auth";
import { FILTER_REASONS, type Outcome } from "@/lib/ingest/event/decided-event";
import { type EventTime, timesOf } from "@/lib/ingest/event/sent-event";
import { type SiteSalts, saltsAt, saltsFor } from "@/lib/ingest/identity/salts";
import { type Arrival, describeDuplicate } from "@/lib/ingest/pipeline/debug-record";
import type { Sender } from "@/lib/ingest/pipeline/sender";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { FreshIds, isStored, NotWritten } from "@/lib/ingest/store/event-id";
import { countOutcome } from "@/lib/ingest/store/ingest-stats";
import { showInLiveWindow } from "@/lib/ingest/store/live-window";
import { Refusal } from "@/lib/platform/errors";
import { logFault } from "@/lib/platform/http/respond";

/** Stores the events that a server sends together, each with a result of its own. */

export const MAX_BATCH_EVENTS = 100;
export const RETRY_SECONDS = 2;

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

/** What the events of one batch share. */
export interface Batch {
  site: IngestSite;
  /** The visitor's address, if the server gives one; never the server's own. */
  address: string | null;
  /** The signature of an agent that sent the batch. */
  signature: RequestSignature | null;
  arrival: Arrival;
  requestId: string;
  now: Date;
  /** The time of each event. */
  times: readonly EventTime[];
  /** Where the list of events is in the body. */
  list: readonly string[];
}

/** One event of a batch as it was sent, and how it was read. */
export type BatchEvent = { sent: unknown } & (
  | { fault: EventFault }
  /**
   * `address` is that of this event's visitor, where the sender gives one for each event; `named` returns a path in the event
   * as the sender's own, where its fields have other names.
   */
  | (MeasuredSent & { address?: string | null } & Named)
);

interface Named {
  named?: ((path: readonly string[]) => string[]) | undefined;
}

/** A batch in work. */
interface Running extends Batch {
  /** Returns the salts, or throws the error of reading them, which then fails each event on its own. */
  salts(): SiteSalts;
  ids: FreshIds;
  /** Identities computed for its events so far. */
  known: NonNullable<Sender["known"]>;
}

/** What was looked up for an event before the first one is written. */
interface Found {
  time: EventTime;
  /** Whether an event with its id is stored. @throws the error of that lookup. */
  isStored(): boolean;
  /** @throws the error of reading them. */
  salts(): SiteSalts;
}

/** Stores the events of a batch, and returns the result of each. */
export async function storeBatch(batch: Batch, events: readonly BatchEvent[]): Promise<Result[]> {
  const { site, now, times } = batch;
  const salts = await settle(saltsFor(site, now));
  const running: Running = { ...batch, salts, ids: new FreshIds(site.id), known: new Map() };
  // Everything is looked up before the first event is written, so that events keep their order.
  const found = await Promise.all(events.map((event, index) => lookUp(event, times[index] as EventTime, running)));
  return Promise.all(events.map((event, index) => record(event, index, found[index] as Found, running)));
}

/** Returns the times of all events of a request. @param first the reserved timestamp of the first. */
export const timesOfBatch = (events: readonly BatchEvent[], first: number, now: Date): EventTime[] =>
  timesOf(events.map(timeIn), first, now);

function timeIn(event: BatchEvent) {
  const at = "fault" in event ? null : (event.event.at ?? null);
  return { at, content: at === null || "fault" in event ? "" : (event.event.event_id ?? JSON.stringify(event.sent)) };
}

async function lookUp(event: BatchEvent, time: EventTime, { site, salts, now }: Running): Promise<Found> {
  const id = "fault" in event ? undefined : event.event.event_id;
  const at = new Date(millisecondOf(time.timestamp));
  return {
    time,
    isStored: await settle(Promise.resolve(id ? isStored(id, site.id) : false)),
    salts: time.isTimed ? await settle(saltsAt(site, at, now)) : salts,
  };
}

/** Waits for the promise and returns a function that returns its value or throws its error. */
const settle = <T>(promise: Promise<T>): Promise<() => T> =>
  promise.then(
    (value) => () => value,
    (error) => () => {
      throw error;
    },
  );

export const namePath = (name: string) => name.slice(0, 100).toWellFormed().replaceAll("\0", "\ufffd");

/** An event as it was sent, and its id. */
interface Identified {
  sent: unknown;
  id: string | null;
}

/** Stores one event and returns its result. Never throws, so that other events of the batch are not affected. */
async function record(read: BatchEvent, index: number, found: Found, batch: Running): Promise<Result> {
  const { site, now, ids } = batch;
  const { sent } = read;
  if ("fault" in read) return invalid(read.fault, index, { sent, id: eventIdIn(sent) }, batch);
  const { event_id: sentId } = read.event;
  try {
    const outcome = found.isStored() ? duplicate(batch) : await ingest(read, found, batch);
    if (outcome.status !== "filtered") {
      countOutcome(site.id, now, outcome.status);
      const result = { index, event_id: sentId ?? ids.stored(index), status: outcome.status };
      if (outcome.status === "duplicate") return result;
      const warnings = [...read.warnings, ...timeWarnings(read, found)];
      return { ...result, class: outcome.traffic, ...(warnings.length > 0 && { warnings }) };
    }
    const { status, reason } = outcome;
    countOutcome(site.id, now, status, reason);
    return { index, event_id: sentId ?? ids.other(), status, code: reason, message: FILTER_REASONS[reason] };
  } catch (error) {
    return failed(error, index, { sent, id: sentId ?? null, named: read.named }, batch);
  }
}

const NO_VISITOR =
  "is of a day whose visitors are no longer recognised: the event counts on its day, without a visitor; name its user, or send it by the end of the next day";

function timeWarnings({ event }: MeasuredSent, { time, salts }: Found): Warning[] {
  const isUnsalted = time.isTimed && salts().day === null && !event.user_id;
  const message = time.warning ?? (isUnsalted ? NO_VISITOR : null);
  return message === null ? [] : [{ path: "context.timestamp", message }];
}

function duplicate({ site, arrival, now }: Batch): Outcome {
  showInLiveWindow(site.id, now, () => describeDuplicate(arrival));
  return { status: "duplicate" };
}

function ingest(
  read: MeasuredSent & { address?: string | null },
  { time, salts }: Found,
  batch: Running,
): Promise<Outcome> {
  const { event, userAgent, address = batch.address } = read;
  const { site, arrival, known, now, signature } = batch;
  const sender: Sender = { address, userAgent, gpc: false, vouched: true, known, signature };
  const { timestamp, isTimed } = time;
  return ingestEvent(event, { site, salts: salts(), sender, arrival, now, timestamp, isTimed });
}

/** Returns the id of an invalid event, if the id itself is valid. */
function eventIdIn(sent: unknown): string | null {
  const id = (sent as { event_id?: unknown } | null)?.event_id;
  return typeof id === "string" && /^[A-Za-z0-9_-]{12,32}$/.test(id) ? id : null;
}

function invalid({ code, path, message }: EventFault, index: number, { sent, id }: Identified, batch: Batch): Result {
  const { surface } = batch.arrival;
  const text = sentence(path, message);
  const issues = [{ path: path.map(namePath).join("."), message }];
  recordRefusal({ siteId: batch.site.id, now: batch.now, surface, sent }, new Refusal(code, text, { issues }));
  return { index, event_id: id, status: "invalid", code, message: text, pointer: pointerTo(batch, index, path) };
}

/** Formats an issue as a sentence that names its field, like the refusal of a whole request. */
const sentence = (path: readonly string[], message: string): string =>
  `${path.length > 0 ? path.map(namePath).join(".") : "The event"} ${message}.`;

/** JSON pointer (RFC 6901) from the body. */
const pointerTo = ({ list }: Batch, index: number, path: readonly string[]): string =>
  [
    "",
    ...list,
    ...(list.length > 0 ? [`${index}`] : []),
    ...path.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1")),
  ].join("/");

/** An event that the pipeline refuses is invalid; one that cannot be written now is an error and may be sent again. */
function failed(
  error: unknown,
  index: number,
  { sent, id, named = (path) => [...path] }: Identified & Named,
  batch: Running,
): Result {
  const { site, now, ids, requestId, arrival } = batch;
  recordRefusal({ siteId: site.id, now, surface: arrival.surface, sent }, error);
  if (error instanceof Refusal && error.code === "invalid_input") {
    const [issue] = (error.details?.issues ?? []) as { path: string; message: string }[];
    const path = issue?.path === "url" ? named(["context", "page", "url"]) : [];
    const pointer = pointerTo(batch, index, path);
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
