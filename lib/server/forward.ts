import http, { type Agent, type IncomingMessage, type ServerResponse } from "node:http";
import { Refusal } from "@/lib/contract/errors";
import { fromNode, toNode } from "@/lib/gateway/http";
import { refuse, requestIdOf } from "@/lib/gateway/respond";

/** What an answer's headers may come to; a request bears ours besides the 16 KiB that its sender may fill. */
export const FORWARDED_HEADER_BYTES = 64 * 1024;

/** Of one connection each (RFC 9110 section 7.6.1): every connection has its own. An upgrade is not taken up. */
const OF_A_CONNECTION: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade", "expect"],
]);

/**
 * Has a request answered by a server that listens on a socket of this machine, and passes the answer on as it comes. What
 * the request's headers say was decided before: they go on as they stand.
 */
export function forward(request: IncomingMessage, response: ServerResponse, to: { agent: Agent; socketPath: string }) {
  const { method, url: path } = request;
  const headers = endToEnd(request.headers);
  // A body without a length came in chunks, and goes on so.
  const isChunked = request.headers["transfer-encoding"] !== undefined;
  if (isChunked) headers["transfer-encoding"] = "chunked";
  const hasBody = isChunked || request.headers["content-length"] !== undefined;
  const asked = http.request({ ...to, method, path, headers, setHost: false, maxHeaderSize: FORWARDED_HEADER_BYTES });
  asked.on("response", (answer) => {
    response.statusCode = answer.statusCode as number;
    for (const [name, value] of Object.entries(endToEnd(answer.headers))) response.setHeader(name, value);
    answer.on("error", () => response.destroy());
    answer.pipe(response);
  });
  asked.on("error", () => {
    if (response.headersSent) response.destroy();
    else if (!response.destroyed) toNode(refuse(away(), requestIdOf(fromNode(request))), request, response);
  });
  // Whoever goes away is not worked for any longer. After an answer that has come to its end this does nothing.
  response.on("close", () => asked.destroy());
  // What is left of a body that nobody takes must not hold its sender up.
  asked.on("close", () => request.resume());
  // What is announced may be refused before it comes.
  if (hasBody) asked.flushHeaders();
  request.pipe(asked);
}

function endToEnd(headers: http.IncomingHttpHeaders): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !OF_A_CONNECTION.has(name));
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}

const away = () =>
  new Refusal("unavailable", "Pages and the API are starting again; repeat the same call soon.", undefined, 2);
