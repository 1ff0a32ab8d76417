import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Shares the thread between pages and everything else: starts one page per turn of the event loop, so that an event
 * waits for about one page however many are asked for, and limits how many are in the making at once.
 */
export class PageTurns {
  /** The pages that wait for their turn or are being made, oldest first. */
  readonly #made = new Map<ServerResponse, IncomingMessage>();
  #waiting: (() => void)[] = [];

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

  #startNext(): void {
    this.#waiting.shift()?.();
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
