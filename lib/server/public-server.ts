import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { refuseRequest } from "@/lib/platform/http/refuse-request";
import { requestFault } from "@/lib/platform/http/request-fault";

const KEEP_ALIVE_MS = 65_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** Error codes of Node's parser with their HTTP status; all others are 400. */
const STATUS_OF_FAULT: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Creates an HTTP server that answers each request exactly once, in the order of the requests on its connection. By
 * default Node answers a malformed request before earlier ones, closes CONNECT without an answer, and drops requests
 * after an unhandled upgrade.
 *
 * `answer` sets the listener for valid requests; the server refuses all others.
 */
export function publicServer(): { server: Server; answer: (listener: RequestListener) => void } {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_TIMEOUT_MS });
  // With a limit, Node would silently drop further headers but still use them to read the body.
  server.maxHeadersCount = 0;
  /** The response to the latest request of each connection. */
  const latest = new WeakMap<Duplex, ServerResponse>();
  const ending = new WeakSet<Duplex>();

  /** Answers bytes that are not a valid request and closes the connection, after the answers to earlier requests. */
  function endWith(status: number, socket: Duplex): void {
    if (ending.has(socket)) return;
    ending.add(socket);
    const before = latest.get(socket);
    const refuse = () => {
      socket.end(bareAnswer(status), () => socket.destroy());
    };
    const drop = () => {
      socket.destroy();
    };
    if (!before) refuse();
    // The error follows a complete request, or is in the body of a request that was or was not answered yet.
    else if (before.req.complete) onceClosed(before, refuse);
    else if (before.headersSent) onceClosed(before, drop);
    else if (before.socket) refuse();
    else before.once("socket", refuse);
  }

  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) socket.destroy();
    // After "Connection: close" nothing more is read, and the pending answer closes the connection.
    else if (error.code !== "HPE_CLOSED_CONNECTION") endWith(STATUS_OF_FAULT[error.code ?? ""] ?? 400, socket);
  });
  server.on("connect", (_, socket) => {
    socket.on("error", () => socket.destroy());
    endWith(405, socket);
  });

  const answer = (listener: RequestListener) => {
    server.on("request", (request, response) => {
      const { socket, headers } = request;
      // Requests after an answer that closes the connection are ignored: their answers could not be sent.
      if (latest.get(socket)?.getHeader("connection") === "close") return;
      latest.set(socket, response);
      const fault = requestFault(request);
      if (fault || losesNextRequests(headers)) response.setHeader("connection", "close");
      if (fault) return refuseRequest(fault, request, response);
      if (headers.expect !== undefined && request.httpVersion === "1.1") response.writeContinue();
      listener(request, response);
    });
    // Otherwise Node would answer these requests, or ask for their bodies, before any check.
    for (const event of ["checkContinue", "checkExpectation"] as const) {
      server.on(event, (request, response) => server.emit("request", request, response));
    }
  };
  return { server, answer };
}

function onceClosed(response: ServerResponse, act: () => void): void {
  if (response.closed) act();
  else response.once("close", act);
}

/** Node's parser stops after an upgrade request without a body, and drops the requests that follow it. */
const losesNextRequests = ({ upgrade, "content-length": length, "transfer-encoding": coding }: IncomingHttpHeaders) =>
  upgrade !== undefined && coding === undefined && !(Number(length) > 0);

const bareAnswer = (status: number): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
