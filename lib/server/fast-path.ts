import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { BATCH_LIMIT_BYTES, EVENT_LIMIT_BYTES } from "@/lib/ingest/api/body-limits";
import { preflight } from "@/lib/ingest/api/preflight";
import { arrivalTime } from "@/lib/ingest/store/arrival-time";
import { Refusal } from "@/lib/platform/errors";
import { callerAddress } from "@/lib/platform/http/caller";
import { type Answer, fromNode, toNode } from "@/lib/platform/http/http";
import { BodyBudget } from "@/lib/server/body-budget";
import { endUnread } from "@/lib/server/end-unread";
import { INGEST_HEADERS, type IngestSurface, type IngestWorker, refuseIngest } from "@/lib/server/ingest-channel";
import { trackerScripts } from "@/lib/server/tracker-scripts";

/** Bodies that are being read or processed. Beyond it events are refused with 503, and their senders repeat them. */
const MAX_BODY_BYTES = 64 * 2 ** 20;
const MAX_BODY_BYTES_OF_ONE_CLIENT = 16 * 2 ** 20;
/** Requests of one connection that wait for the answer to the one in front. Node keeps their bodies in memory. */
const MAX_PIPELINED = 16;

const PATHS = new Map<string, IngestSurface>([
  ["/api/event", "event"],
  ["/api/v1/events", "batch"],
]);
const LIMITS = { event: EVENT_LIMIT_BYTES, batch: BATCH_LIMIT_BYTES };

/**
 * Answers events and the tracker's scripts in front of Next. It works with callbacks: with Next in the same thread, Node 20
 * takes a third longer for each promise (`AsyncLocalStorage`).
 *
 * @returns what answers such a request, and says whether it was one.
 */
export function fastPath(worker: IngestWorker) {
  const scripts = trackerScripts();
  /** The latest ingest request of each connection: a pipelined one waits for it, so that events are stored in their order. */
  const latest = new WeakMap<Socket, ServerResponse>();
  const pipelined = new WeakMap<Socket, number>();
  const bodies = new BodyBudget(MAX_BODY_BYTES, MAX_BODY_BYTES_OF_ONE_CLIENT);

  function takeEvent(surface: IngestSurface, request: IncomingMessage, response: ServerResponse): void {
    const arrivedAt = arrivalTime().getTime();
    const address = callerAddress(request.headers);
    const client = address ?? "";
    let held = 0;
    const hold = (bytes: number): boolean => {
      const fits = bodies.take(client, bytes);
      if (fits) held += bytes;
      return fits;
    };
    const release = () => {
      bodies.giveBack(client, held);
      held = 0;
    };
    const finish = (answer: Answer) => {
      release();
      if (response.destroyed) return;
      if (!request.complete) endUnread(request, response);
      toNode(answer, response);
    };
    const send = (body: Buffer | null) => {
      const headers = INGEST_HEADERS.map(fromNode(request).header);
      worker.send({ surface, headers, body, address, arrivedAt }, finish);
    };
    const refuseFull = () => finish(refuseIngest(tooManyBytes(), surface, fromNode(request)));
    response.once("close", () => {
      // A client that went away before its whole body was here has no answer.
      if (!request.complete) release();
    });
    readBody(request, LIMITS[surface], { whole: send, hold, full: refuseFull });
  }

  function inOrder(surface: IngestSurface, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const before = latest.get(socket);
    latest.set(socket, response);
    if (!before || before.closed) {
      takeEvent(surface, request, response);
      return;
    }
    const waiting = pipelined.get(socket) ?? 0;
    if (waiting === MAX_PIPELINED) {
      // Nothing behind it is read any more.
      response.setHeader("connection", "close");
      toNode(refuseIngest(tooManyPipelined(), surface, fromNode(request)), response);
      return;
    }
    pipelined.set(socket, waiting + 1);
    before.once("close", () => {
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
      takeEvent(surface, request, response);
    });
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const path = request.url?.split("?", 1)[0] ?? "";
    const surface = PATHS.get(path);
    if (surface && request.method === "POST") {
      inOrder(surface, request, response);
      return true;
    }
    if (surface === "event" && request.method === "OPTIONS") {
      toNode(preflight(), response);
      return true;
    }
    const script = scripts.get(path);
    script?.(request, response);
    return script !== undefined;
  };
}

interface Reading {
  /** Called with the body, or with null for one that is too large. */
  whole(body: Buffer | null): void;
  /** Whether there is room for so many bytes more. */
  hold(bytes: number): boolean;
  /** Called instead of `whole` when there is none. */
  full(): void;
}

function readBody(request: IncomingMessage, limit: number, { whole, hold, full }: Reading): void {
  // What is announced as too large is not read at all.
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    whole(null);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (answer: () => void) => {
    request.pause();
    request.removeAllListeners("data").removeAllListeners("end");
    answer();
  };
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) return stop(() => whole(null));
    if (!hold(chunk.length)) return stop(full);
    chunks.push(chunk);
  });
  request.on("end", () => whole(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  // The server answers what breaks off.
  request.on("error", () => {});
}

const tooManyPipelined = () =>
  new Refusal(
    "unavailable",
    `More than ${MAX_PIPELINED} events wait on this connection; read the answers before you send more.`,
    undefined,
    2,
  );

const tooManyBytes = () =>
  new Refusal("unavailable", "Too many events are waiting to be read; send it again soon.", undefined, 2);
