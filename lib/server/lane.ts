import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { type Answer, fromNode, takesEncoding, toNode } from "@/lib/gateway/http";
import { arrivalTime } from "@/lib/ingest/arrival-time";
import { measure } from "@/lib/ingest/measurement";
import { collect, preflight } from "@/lib/ingest/simple";
import { countAnswer } from "@/lib/server/metrics";

/**
 * The fast lane: the few addresses that are asked thousands of times a second are answered here, before Next sees
 * them, by the same functions that Next's routes export.
 */
export function fastLane(addressOf: (request: IncomingMessage) => string | null) {
  const scripts = new Map(TRACKERS.map((name) => [`/${name}`, trackerScript(`public/${name}`)]));
  const inOrder = orderedByConnection();
  const event = async (request: IncomingMessage, response: ServerResponse) => {
    const caller = { address: addressOf(request), now: arrivalTime() };
    const answer = await collect(fromNode(request), caller);
    countAnswer("/api/event", answer.status);
    finish(answer, request, response);
  };
  const batch = async (request: IncomingMessage, response: ServerResponse) => {
    const caller = { address: addressOf(request), now: arrivalTime() };
    const answer = await measure(fromNode(request), caller);
    countAnswer("/api/v1/events", answer.status);
    finish(answer, request, response);
  };
  /** Answers the request when it is one of the lane's; says whether it did. */
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const path = request.url?.split("?", 1)[0] ?? "";
    const script = scripts.get(path);
    if (script) script(request, response);
    else if (path === "/api/event" && request.method === "POST")
      inOrder(request, () => event(request, response)).catch(() => response.destroy());
    else if (path === "/api/v1/events" && request.method === "POST")
      inOrder(request, () => batch(request, response)).catch(() => response.destroy());
    else if (path === "/api/event" && request.method === "OPTIONS") toNode(preflight(), response);
    else return false;
    return true;
  };
}

/** Handles the requests of one connection one after the other, so that pipelined events are stored in their order. */
function orderedByConnection() {
  const last = new WeakMap<Socket, Promise<void>>();
  return ({ socket }: IncomingMessage, handle: () => Promise<void>): Promise<void> => {
    const handled = (last.get(socket) ?? Promise.resolve()).then(handle);
    last.set(
      socket,
      handled.catch(() => {}),
    );
    return handled;
  };
}

function finish(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  // What is left of a body that was too large is not read; the connection cannot be used again.
  if (!request.complete) response.setHeader("connection", "close");
  toNode(answer, response);
}

/** The tracker's forms: what most pages carry, with every automatic event, and as a module. */
export const TRACKERS = ["script.js", "script.full.js", "footfall.mjs"];

function trackerScript(file: string) {
  const plain = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const forms = { br: brotliCompressSync(plain), gzip: gzipSync(plain, { level: 9 }) };
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
      return;
    }
    const encoding = (["br", "gzip"] as const).find((name) => takesEncoding(request, name));
    const body = encoding ? forms[encoding] : plain;
    const unchanged = request.headers["if-none-match"] === etag;
    response.writeHead(unchanged ? 304 : 200, {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600, stale-while-revalidate=86400",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      vary: "accept-encoding",
      etag,
      ...(encoding && !unchanged ? { "content-encoding": encoding } : {}),
      ...(unchanged ? {} : { "content-length": body.length }),
    });
    response.end(unchanged || request.method === "HEAD" ? undefined : body);
  };
}
