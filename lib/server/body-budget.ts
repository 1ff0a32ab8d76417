/**
 * Limits the bytes of request bodies that are in memory at a time: in all, and of one client, so that no client keeps
 * all others out by sending slowly.
 */
export class BodyBudget {
  #total = 0;
  /** Only clients whose bodies are in memory. */
  readonly #byClient = new Map<string, number>();

  constructor(
    readonly maxBytes: number,
    readonly maxBytesOfOne: number,
  ) {}

  /** Takes `bytes` for a body of this client. @returns whether there was room; otherwise nothing is taken. */
  take(client: string, bytes: number): boolean {
    const held = (this.#byClient.get(client) ?? 0) + bytes;
    if (held > this.maxBytesOfOne || this.#total + bytes > this.maxBytes) return false;
    this.#byClient.set(client, held);
    this.#total += bytes;
    return true;
  }

  /** Gives back what has been taken for a body of this client. */
  giveBack(client: string, bytes: number): void {
    const held = (this.#byClient.get(client) ?? 0) - bytes;
    if (held > 0) this.#byClient.set(client, held);
    else this.#byClient.delete(client);
    this.#total -= bytes;
  }

  /** How many clients have bodies in memory. */
  get clients(): number {
    return this.#byClient.size;
  }
}
