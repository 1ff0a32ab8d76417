import type { IncomingMessage, ServerResponse } from "node:http";
import { describeError, log } from "@/lib/platform/log";

/**
 * A request, independent of Next and Node. The fast path avoids web `Request` and `Response` objects, which cost more
 * than processing an event.
 */
export interface Incoming {
  /** A header by its lower-case name, or null. */
  header(name: string): string | null;
  /** The whole body, or null when it has more than `limit` bytes, regardless of Content-Length. */
  bytes(limit: number): Promise<Uint8Array | null>;
  /** Aborted when the client disconnects before the answer; undefined where that cannot be detected. */
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Whether the client accepts this content encoding (RFC 9110 section 12.5.3). */
export const acceptsEncoding = ({ headers }: IncomingMessage, name: "br" | "gzip"): boolean =>
  new RegExp(`(^|,)\\s*${name}\\s*(,|$|;(?!\\s*q=0(\\.0*)?\\s*(,|$)))`).test(`${headers["accept-encoding"] ?? ""}`);

/** A web request, from a Next route. */
export function fromWeb(request: Request): Incoming {
  const { headers, signal } = request;
  return { header: (name) => headers.get(name), bytes: (limit) => webBytes(request, limit), signal };
}

export const toWeb = ({ status, headers, body }: Answer): Response =>
  new Response(status === 204 ? null : body, { status, headers });

async function webBytes(request: Request, limit: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); reader && read && !read.done; read = await reader.read()) {
    size += read.value.byteLength;
    if (size > limit) {
      await reader.cancel().catch((error) => log.debug(describeError(error), "the rest of a body was not discarded"));
      return null;
    }
    chunks.push(read.value);
  }
  return Buffer.concat(chunks);
}

/** The headers of a Node request, from the fast path, which reads the body itself. */
export function fromNode(request: IncomingMessage): Pick<Incoming, "header"> {
  return {
    header(name) {
      const value = request.headers[name];
      return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
    },
  };
}

/** @param answer the body may be compressed bytes. */
export function toNode(
  { status, headers, body }: Omit<Answer, "body"> & { body: string | Uint8Array },
  response: ServerResponse,
): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}
