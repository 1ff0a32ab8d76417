import type { IncomingMessage, ServerResponse } from "node:http";

const LINGER_MS = 1_000;

/**
 * What is left of a body that was too large is thrown away for a moment, so that its sender receives the answer; then the
 * connection ends, instead of taking the rest of it or waiting for its time-out.
 */
export function endUnread(request: IncomingMessage, response: ServerResponse): void {
  // Afterwards neither of the two knows its socket any more.
  const { socket } = request;
  response.on("finish", () => {
    if (request.complete) return;
    request.resume();
    setTimeout(() => request.complete || socket.destroy(), LINGER_MS).unref();
  });
}
