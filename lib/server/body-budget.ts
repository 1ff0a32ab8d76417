/**
 * Limits the bytes of request bodies in memory, in total and per client, so that a client with slow uploads does not
 * block all others.
 */
export class BodyBudget {
  #total = 0;
  /** Only clients with bodies in memory. */
  readonly #byClient = new Map<string, number>();

  constructor(
    readonly maxBytes: number,
    readonly maxBytesPerClient: number,
  ) {}

  /**
   * Reserves `bytes` for a body of this client.
   *
   * @returns false, without reserving any, when a limit would be exceeded.
   */
  reserve(client: string, bytes: number): boolean {
    const held = (this.#byClient.get(client) ?? 0) + bytes;
    if (held > this.maxBytesPerClient || this.#total + bytes > this.maxBytes) return false;
    this.#byClient.set(client, held);
    this.#total += bytes;
    return true;
  }

  /** Releases reserved bytes of this client. */
  release(client: string, bytes: number): void {
    const held = (this.#byClient.get(client) ?? 0) - bytes;
    if (held > 0) this.#byClient.set(client, held);
    else this.#byClient.delete(client);
    this.#total -= bytes;
  }

  /** The number of clients with bodies in memory. */
  get clients(): number {
    return this.#byClient.size;
  }
}
