import type { IncomingMessage } from "node:http";
import { Refusal } from "@/lib/platform/errors";

/** More than any browser, proxy or client library sends. */
const MOST_HEADERS = 100;

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Why a request is refused whatever it asks for: it has too many headers, or two programs could read its end, its host or
 * its target in two ways (RFC 9112 sections 3.2, 6.1 and 11.2). Reads no body.
 *
 * @returns null for a request that may be answered. After any other result the connection must end.
 */
export function requestFault(request: IncomingMessage): Refusal | null {
  const { rawHeaders, httpVersion, headers } = request;
  if (rawHeaders.length / 2 > MOST_HEADERS) {
    return new Refusal("headers_too_large", `The request has more than ${MOST_HEADERS} headers; send fewer.`);
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

/** How often a header was sent. Node keeps one of several in `headers`. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count;
}

/** Next fails on broken percent-escapes, and takes `GET http://other.example/ HTTP/1.1` for an address of its own. */
function isPlainTarget(target: string): boolean {
  const path = target.split("?", 1)[0] as string;
  try {
    decodeURIComponent(path);
  } catch {
    return false;
  }
  return path.startsWith("/") && !path.startsWith("//");
}
