import type { IncomingMessage, ServerResponse } from "node:http";

const LINGER_MS = 1_000;

/**
 * Closes the connection of a request that was answered before its body was read. The rest of the body is discarded for
 * one second first, so that the client can receive the answer.
 */
export function endUnread(request: IncomingMessage, response: ServerResponse): void {
  // Read now: after the response has finished, neither object refers to the socket.
  const { socket } = request;
  response.on("finish", () => {
    if (request.complete) return;
    request.resume();
    setTimeout(() => request.complete || socket.destroy(), LINGER_MS).unref();
  });
}
