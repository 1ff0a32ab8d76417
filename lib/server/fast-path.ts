import type { IncomingMessage, ServerResponse } from "node:http";
import { INGEST_ROUTES, type IngestSurface, preflight, refuseIngest } from "@/lib/ingest/api/requests";
import { arrivalTime } from "@/lib/ingest/store/arrival-time";
import { countedAddress } from "@/lib/platform/counted-address";
import { Refusal } from "@/lib/platform/errors";
import { callerAddress } from "@/lib/platform/http/caller";
import { type Answer, fromNode, toNode } from "@/lib/platform/http/http";
import { BodyBudget, type HeldBody } from "@/lib/server/body-budget";
import { endUnread } from "@/lib/server/end-unread";
import { INGEST_HEADERS, type IngestQuestion, type IngestWorker } from "@/lib/server/ingest-channel";
import { trackerScripts } from "@/lib/server/tracker-scripts";

/**
 * Bytes of bodies that are being read or processed. Above the limit events are refused with 503 and retried by clients.
 */
const MAX_BODY_BYTES = 64 * 2 ** 20;
const MAX_BODY_BYTES_OF_ONE_CLIENT = 16 * 2 ** 20;
/** A body of which less has arrived in this time ends: it would keep its memory for nothing. */
const SLOWEST = { bytes: 8 * 1024, ms: 10_000 };

const ROUTES = new Map(Object.entries(INGEST_ROUTES));
/** Why a body is not read to its end. */
const UNREAD = {
  full: "Too many events are waiting to be read; send it again after Retry-After.",
  slow: `The body arrives too slowly: send at least ${SLOWEST.bytes} bytes in ${SLOWEST.ms / 1000} seconds, and send it again after Retry-After.`,
};

/**
 * Answers events and tracker scripts without Next. It uses callbacks, because with Next in the same thread each promise
 * takes a third longer on Node 20 (`AsyncLocalStorage`).
 *
 * @returns a handler that answers such a request and returns true, or returns false for any other request.
 */
export function fastPath(worker: IngestWorker) {
  const scripts = trackerScripts();
  const bodies = new BodyBudget(MAX_BODY_BYTES, MAX_BODY_BYTES_OF_ONE_CLIENT);
  setInterval(() => bodies.endSlow(SLOWEST.bytes), SLOWEST.ms).unref();

  function handleEvent(
    { surface, limit }: { surface: IngestSurface; limit: number },
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const arrivedAt = arrivalTime().getTime();
    const address = callerAddress(request.headers);
    const send = (question: IngestQuestion, body: Buffer | null, answered: (answer: Answer) => void) => {
      const headers = INGEST_HEADERS.map(fromNode(request).header);
      worker.send({ question, headers, body, address, arrivedAt }, answered);
    };
    let held: HeldBody | null = bodies.open(countedAddress(address ?? ""), (why) => refuseUnread(why));
    const release = () => {
      if (held) bodies.release(held);
      held = null;
    };
    const finish = (answer: Answer) => {
      release();
      if (response.destroyed || response.writableEnded) return;
      if (!request.complete) {
        stopReading(request);
        endUnread(request, response);
      }
      toNode(answer, response);
    };
    const refuseUnread = (why: keyof typeof UNREAD) =>
      finish(refuseIngest(new Refusal("unavailable", UNREAD[why], undefined, 2), surface, fromNode(request)));
    response.once("close", () => {
      // A client that disconnects before the end of its body gets no answer.
      if (!request.complete) release();
    });
    receiveBody(request, limit, {
      complete(body) {
        if (!held) return;
        bodies.finish(held);
        send(surface, body, finish);
      },
      reserve: (bytes) => held !== null && bodies.reserve(held, bytes),
      full: () => refuseUnread("full"),
    });
    if (surface === "batch") setImmediate(requireKey);

    /** Asks for the key first, unless the body arrived with the headers: only senders with a key may fill memory. */
    function requireKey(): void {
      if (!held || !bodies.isUnfinished(held) || request.complete) return;
      request.pause();
      send("key", null, (answer) => {
        if (answer.status !== 204) finish(answer);
        else request.resume();
      });
    }
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const path = request.url?.split("?", 1)[0] ?? "";
    const route = ROUTES.get(path);
    if (route && request.method === "POST") {
      handleEvent(route, request, response);
      return true;
    }
    if (route?.fromPages && request.method === "OPTIONS") {
      toNode(preflight(), response);
      return true;
    }
    const script = scripts(path);
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

function receiveBody(request: IncomingMessage, limit: number, { complete, reserve, full }: BodyCallbacks): void {
  // A body with a too large Content-Length is not read at all.
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    complete(null);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (answer: () => void) => {
    stopReading(request);
    answer();
  };
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) return stop(() => complete(null));
    if (!reserve(chunk.length)) return stop(full);
    chunks.push(chunk);
  });
  request.on("end", () => complete(Buffer.concat(chunks)));
  // The server handles aborted requests.
  request.on("error", () => {});
}

function stopReading(request: IncomingMessage): void {
  request.pause();
  request.removeAllListeners("data").removeAllListeners("end");
}
