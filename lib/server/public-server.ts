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
const REQUEST_WITHIN_MS = 30_000;

/** What Node's parser reports, and the status that says it; anything else is 400. */
const STATUS_OF_FAULT: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * An HTTP server that gives each request exactly one answer, in the order of the requests on its connection. Node alone
 * answers a broken request before those in front of it, ends CONNECT without an answer, and drops what follows an
 * upgrade that nothing handles.
 *
 * `answer` sets the listener for requests that may be answered; the server refuses all others.
 */
export function publicServer(): { server: Server; answer: (listener: RequestListener) => void } {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_WITHIN_MS });
  // Node would drop headers beyond the count without a word, and read the body by them all the same.
  server.maxHeadersCount = 0;
  /** The response to the latest request of each connection. */
  const latest = new WeakMap<Duplex, ServerResponse>();
  const ending = new WeakSet<Duplex>();

  /** Ends a connection that received something that is no request, in the turn of what this concerns. */
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
    // It follows a whole request, or broke the body of one that has its answer, or of one that is to get this one.
    else if (before.req.complete) onceClosed(before, refuse);
    else if (before.headersSent) onceClosed(before, drop);
    else if (before.socket) refuse();
    else before.once("socket", refuse);
  }

  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) socket.destroy();
    // After "Connection: close" nothing more is read, and the answer that is due ends the connection.
    else if (error.code !== "HPE_CLOSED_CONNECTION") endWith(STATUS_OF_FAULT[error.code ?? ""] ?? 400, socket);
  });
  server.on("connect", (_, socket) => {
    socket.on("error", () => socket.destroy());
    endWith(405, socket);
  });

  const answer = (listener: RequestListener) => {
    server.on("request", (request, response) => {
      const { socket, headers } = request;
      // Nothing is done for what follows an answer that ends the connection: its own answer could not be sent.
      if (latest.get(socket)?.getHeader("connection") === "close") return;
      latest.set(socket, response);
      const fault = requestFault(request);
      if (fault || losesWhatFollows(headers)) response.setHeader("connection", "close");
      if (fault) return refuseRequest(fault, request, response);
      if (headers.expect !== undefined && request.httpVersion === "1.1") response.writeContinue();
      listener(request, response);
    });
    // Node would have these answered, or their bodies sent, before anything is decided.
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

/** Node's parser stops behind a request for an upgrade that has no body, and drops the rest of what has come with it. */
const losesWhatFollows = ({ upgrade, "content-length": length, "transfer-encoding": coding }: IncomingHttpHeaders) =>
  upgrade !== undefined && coding === undefined && !(Number(length) > 0);

const bareAnswer = (status: number): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
