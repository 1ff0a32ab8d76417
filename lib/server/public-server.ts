import { AsyncResource } from "node:async_hooks";
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
/** Pipelined requests of all connections that wait for their turn. */
const MAX_WAITING = 10_000;

/** Error codes of Node's parser with their HTTP status; all others are 400. */
const STATUS_OF_FAULT: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The requests of one connection. */
interface Connection {
  /** The response to the latest request that was read. */
  latest?: ServerResponse;
  /** Whether a request is being answered. */
  isBusy: boolean;
  /** Starts the answers to the requests that were read after it. */
  waiting: (() => void)[];
}

/**
 * Creates an HTTP server that answers each request exactly once, in the order of the requests on its connection, and
 * starts the next answer when the one before has been sent. While a request waits for its turn the connection is not
 * read, so that pipelined requests stay with the client; those that were read are dropped when it disconnects. By
 * default Node starts all at once, answers a malformed request before earlier ones, closes CONNECT without an answer,
 * and drops requests after an unhandled upgrade.
 *
 * `answer` sets the listener for valid requests; the server refuses all others.
 */
export function publicServer(): { server: Server; answer: (listener: RequestListener) => void } {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_TIMEOUT_MS });
  // With a limit, Node would silently drop further headers but still use them to read the body.
  server.maxHeadersCount = 0;
  const connections = new WeakMap<Duplex, Connection>();
  const ending = new WeakSet<Duplex>();
  let waitingInAll = 0;

  server.on("connection", (socket) => {
    const connection: Connection = { isBusy: false, waiting: [] };
    connections.set(socket, connection);
    // Node resumes the socket after each request that it has read, and when the body of an earlier one is consumed.
    socket.on("resume", () => connection.waiting.length > 0 && socket.pause());
    socket.once("close", () => dropWaiting(connection));
  });

  function dropWaiting(connection: Connection): void {
    waitingInAll -= connection.waiting.length;
    connection.waiting = [];
  }

  /** Starts an answer when its turn comes. */
  function inTurn(connection: Connection, socket: Duplex, start: () => void): void {
    if (!connection.isBusy) {
      connection.isBusy = true;
      start();
    } else if (waitingInAll < MAX_WAITING) {
      waitingInAll++;
      // The locale of a request is in its asynchronous context.
      connection.waiting.push(AsyncResource.bind(start));
      socket.pause();
    } else {
      socket.destroy();
    }
  }

  function startNext(connection: Connection, socket: Duplex): void {
    // The last answer has closed the connection.
    if (!socket.writable) dropWaiting(connection);
    const start = connection.waiting.shift();
    connection.isBusy = start !== undefined;
    if (start) waitingInAll--;
    if (connection.waiting.length === 0) socket.resume();
    start?.();
  }

  /** Answers bytes that are not a valid request and closes the connection, after the answers to earlier requests. */
  function endWith(status: number, socket: Duplex): void {
    if (ending.has(socket)) return;
    ending.add(socket);
    const before = connections.get(socket)?.latest;
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
      const connection = connections.get(socket) as Connection;
      // Requests after an answer that closes the connection are ignored: their answers could not be sent.
      if (connection.latest?.getHeader("connection") === "close") return;
      connection.latest = response;
      response.once("close", () => startNext(connection, socket));
      const fault = requestFault(request);
      if (fault || losesNextRequests(headers)) response.setHeader("connection", "close");
      inTurn(connection, socket, () => {
        // A server that stops answers the current request of a connection as its last one.
        if (!server.listening) response.setHeader("connection", "close");
        if (fault) return refuseRequest(fault, request, response);
        if (headers.expect !== undefined && request.httpVersion === "1.1") response.writeContinue();
        listener(request, response);
      });
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
