import { timingSafeEqual } from "node:crypto";
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { Refusal } from "@/lib/contract/errors";
import { fromNode, toNode } from "@/lib/gateway/http";
import { refuse, requestIdOf } from "@/lib/gateway/respond";
import { digest } from "@/lib/secrets";

/** What an answer's headers may come to; a request bears ours besides the 16 KiB that its sender may fill. */
export const FORWARDED_HEADER_BYTES = 64 * 1024;

/** Of one connection each (RFC 9110 section 7.6.1): every connection has its own. An upgrade is not taken up. */
const OF_A_CONNECTION: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade", "expect"],
]);

/** Carries the secret that the two servers share. */
const SECRET = "x-footfall-forward-secret";

/** Where requests are forwarded to, and the secret that `onlyForwarded` expects there. */
export interface ForwardTarget {
  socketPath: string;
  secret: string;
}

/**
 * One connection for each request: nothing that is left on one can become part of another's request or answer. It is this
 * side that ends it. An inner server that did so after an answer might lose it to a sender still busy with its body.
 */
class OneRequestAgent extends http.Agent {
  override keepSocketAlive(): boolean {
    return false;
  }
}
const agent = new OneRequestAgent({ keepAlive: true });

/**
 * Has a request answered by a server that listens on a socket of this machine, and passes the answer on as it comes. The
 * headers in `request.headers` are forwarded as they are, so the caller sets those that are facts and drops those that a
 * client must not set. The body is framed anew: by the length that was read here, in chunks, or as none.
 */
export function forward(request: IncomingMessage, response: ServerResponse, { socketPath, secret }: ForwardTarget) {
  const { method, url: path } = request;
  const headers = { ...endToEnd(request.headers), [SECRET]: secret } as http.OutgoingHttpHeaders;
  const isChunked = request.headers["transfer-encoding"] !== undefined;
  if (isChunked) headers["transfer-encoding"] = "chunked";
  const hasBody = isChunked || request.headers["content-length"] !== undefined;
  const options = { agent, socketPath, method, path, headers, setHost: false, maxHeaderSize: FORWARDED_HEADER_BYTES };
  const asked = http.request(options);
  asked.on("response", (answer) => {
    response.statusCode = answer.statusCode as number;
    for (const [name, value] of Object.entries(endToEnd(answer.headers))) response.setHeader(name, value);
    answer.on("error", () => response.destroy());
    answer.pipe(response);
  });
  asked.on("error", () => {
    if (response.headersSent) response.destroy();
    else if (!response.destroyed) toNode(refuse(away(), requestIdOf(fromNode(request))), response);
  });
  // Whoever goes away is not worked for any longer. After an answer that has come to its end this does nothing.
  response.on("close", () => asked.destroy());
  // What is left of a body that nobody takes must not hold its sender up.
  asked.on("close", () => request.resume());
  if (!hasBody) return asked.end();
  // What is announced may be refused before it comes.
  asked.flushHeaders();
  request.pipe(asked);
}

/**
 * Answers what `forward` sent with this secret, and destroys the connection of anything else: what such a request says of
 * its caller is believed. `answer` does not see the secret.
 */
export function onlyForwarded(secret: string, answer: RequestListener): RequestListener {
  const expected = digest(secret);
  return (request, response) => {
    const given = request.headers[SECRET];
    if (typeof given !== "string" || !timingSafeEqual(digest(given), expected)) return void request.socket.destroy();
    delete request.headers[SECRET];
    const at = request.rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === SECRET);
    request.rawHeaders.splice(at, 2);
    answer(request, response);
  };
}

function endToEnd(headers: http.IncomingHttpHeaders): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !OF_A_CONNECTION.has(name));
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}

const away = () =>
  new Refusal("unavailable", "Pages and the API are starting again; repeat the same call soon.", undefined, 2);
