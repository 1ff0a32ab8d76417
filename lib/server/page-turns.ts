import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";

/** How long a page waits while new connections arrive. Node accepts one of them per turn of the event loop. */
const MAX_PAUSE_MS = 25;

/**
 * Shares the thread between pages and everything else: starts one page per turn of the event loop, so that an event
 * waits for about one page however many are asked for, and limits how many are in the making at once. While connections
 * arrive, more turns pass between two pages: an event may be on the last of them.
 */
export class PageTurns {
  /** The pages that wait for their turn or are being made, oldest first. */
  readonly #made = new Map<ServerResponse, IncomingMessage>();
  #waiting: (() => void)[] = [];
  #startedAt = 0;
  #hasNewConnection = false;

  constructor(readonly maxPages: number) {}

  /**
   * Calls `make` in a turn of the event loop of its own, unless the client has disconnected by then.
   *
   * @returns false when too many pages are in the making; `make` is not called then.
   */
  admit(request: IncomingMessage, response: ServerResponse, make: () => void): boolean {
    if (this.#made.size >= this.maxPages && !this.#makeRoom()) return false;
    this.#made.set(response, request);
    response.once("close", () => this.#made.delete(response));
    // The locale of a request is in its asynchronous context.
    const start = AsyncResource.bind(make);
    if (this.#waiting.push(() => response.destroyed || start()) === 1) setImmediate(() => this.#startNext());
    return true;
  }

  /** Notes that a connection has arrived in this turn. */
  connected(): void {
    this.#hasNewConnection = true;
  }

  #startNext(): void {
    if (!this.#hasNewConnection || performance.now() - this.#startedAt > MAX_PAUSE_MS) {
      this.#waiting.shift()?.();
      this.#startedAt = performance.now();
    }
    this.#hasNewConnection = false;
    if (this.#waiting.length > 0) setImmediate(() => this.#startNext());
  }

  /** Frees the places of pages that are only being sent, or else of the oldest one whose body has not arrived. */
  #makeRoom(): boolean {
    for (const response of this.#made.keys()) if (response.headersSent) this.#made.delete(response);
    if (this.#made.size < this.maxPages) return true;
    for (const [response, request] of this.#made) {
      if (request.complete) continue;
      this.#made.delete(response);
      response.destroy();
      return true;
    }
    return false;
  }
}
