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

/**
 * Bytes of bodies that are being read or processed. Above the limit events are refused with 503 and retried by clients.
 */
const MAX_BODY_BYTES = 64 * 2 ** 20;
const MAX_BODY_BYTES_OF_ONE_CLIENT = 16 * 2 ** 20;
/** Pipelined requests of a connection that wait for an earlier answer. Node keeps their bodies in memory. */
const MAX_PIPELINED = 16;

const PATHS = new Map<string, IngestSurface>([
  ["/api/event", "event"],
  ["/api/v1/events", "batch"],
]);
const LIMITS = { event: EVENT_LIMIT_BYTES, batch: BATCH_LIMIT_BYTES };

/**
 * Answers events and tracker scripts without Next. It uses callbacks, because with Next in the same thread each promise
 * takes a third longer on Node 20 (`AsyncLocalStorage`).
 *
 * @returns a handler that answers such a request and returns true, or returns false for any other request.
 */
export function fastPath(worker: IngestWorker) {
  const scripts = trackerScripts();
  /**
   * The latest ingest request of each connection. A pipelined request waits for it, so that events are stored in order.
   */
  const latest = new WeakMap<Socket, ServerResponse>();
  const pipelined = new WeakMap<Socket, number>();
  const bodies = new BodyBudget(MAX_BODY_BYTES, MAX_BODY_BYTES_OF_ONE_CLIENT);

  function handleEvent(surface: IngestSurface, request: IncomingMessage, response: ServerResponse): void {
    const arrivedAt = arrivalTime().getTime();
    const address = callerAddress(request.headers);
    const client = address ?? "";
    let held = 0;
    const reserve = (bytes: number): boolean => {
      const fits = bodies.reserve(client, bytes);
      if (fits) held += bytes;
      return fits;
    };
    const release = () => {
      bodies.release(client, held);
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
      // A client that disconnects before the end of its body gets no answer.
      if (!request.complete) release();
    });
    readBody(request, LIMITS[surface], { complete: send, reserve, full: refuseFull });
  }

  function inOrder(surface: IngestSurface, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const before = latest.get(socket);
    latest.set(socket, response);
    if (!before || before.closed) {
      handleEvent(surface, request, response);
      return;
    }
    const waiting = pipelined.get(socket) ?? 0;
    if (waiting === MAX_PIPELINED) {
      // Further requests of this connection are not read.
      response.setHeader("connection", "close");
      toNode(refuseIngest(tooManyPipelined(), surface, fromNode(request)), response);
      return;
    }
    pipelined.set(socket, waiting + 1);
    before.once("close", () => {
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
      handleEvent(surface, request, response);
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

interface BodyCallbacks {
  /** Called with the body, or with null when it is too large. */
  complete(body: Buffer | null): void;
  /** Returns whether this many more bytes fit into memory. */
  reserve(bytes: number): boolean;
  /** Called instead of `complete` when they do not fit. */
  full(): void;
}

function readBody(request: IncomingMessage, limit: number, { complete, reserve, full }: BodyCallbacks): void {
  // A body with a too large Content-Length is not read at all.
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    complete(null);
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
    if (size > limit) return stop(() => complete(null));
    if (!reserve(chunk.length)) return stop(full);
    chunks.push(chunk);
  });
  request.on("end", () => complete(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  // The server handles aborted requests.
  request.on("error", () => {});
}

const tooManyPipelined = () =>
  new Refusal(
    "unavailable",
    `More than ${MAX_PIPELINED} events are waiting on this connection; read the answers before you send more.`,
    undefined,
    2,
  );

const tooManyBytes = () =>
  new Refusal("unavailable", "Too many events are waiting to be read; send it again after Retry-After.", undefined, 2);
