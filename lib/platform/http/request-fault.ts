import type { IncomingMessage } from "node:http";
import { Refusal } from "@/lib/platform/errors";

/** More than any browser, proxy or client library sends. */
const MAX_HEADERS = 100;

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Returns why a request is malformed: it has too many headers, or its length, host or target is ambiguous, which allows
 * request smuggling (RFC 9112 sections 3.2, 6.1 and 11.2). Does not read the body.
 *
 * @returns null for a request that may be answered. After any other result the connection must be closed.
 */
export function requestFault(request: IncomingMessage): Refusal | null {
  const { rawHeaders, httpVersion, headers } = request;
  if (rawHeaders.length / 2 > MAX_HEADERS) {
    return new Refusal("headers_too_large", `The request has more than ${MAX_HEADERS} headers; send fewer.`);
  }
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return malformed("Use HTTP/1.1 or HTTP/1.0.");
  if (countOf("host", rawHeaders) > 1) return malformed("Send one Host, not several.");
  const lengths = countOf("content-length", rawHeaders);
  const codings = countOf("transfer-encoding", rawHeaders);
  if (lengths + codings > 1) return malformed("Send one Content-Length or one Transfer-Encoding, not several.");
  if (codings > 0 && (httpVersion === "1.0" || headers["transfer-encoding"]?.toLowerCase() !== "chunked")) {
    return malformed("Transfer-Encoding must be chunked, in HTTP/1.1.");
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") {
    return malformed("Expect must be 100-continue.");
  }
  if (!METHODS.has(request.method ?? "")) return malformed(`The method must be one of ${[...METHODS].join(", ")}.`);
  return isPlainTarget(request.url ?? "") ? null : malformed("The request target must be a path with valid escapes.");
}

const malformed = (message: string) => new Refusal("malformed_request", message);

/** Returns how often a header was sent. `headers` of Node keeps only one of several. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count;
}

/** Next fails on invalid percent-escapes, and treats `GET http://other.example/ HTTP/1.1` as one of its own URLs. */
function isPlainTarget(target: string): boolean {
  const path = target.split("?", 1)[0] as string;
  try {
    decodeURIComponent(path);
  } catch {
    return false;
  }
  return path.startsWith("/") && !path.startsWith("//");
}
