/** A request body that is being read or processed. */
export interface HeldBody {
  readonly client: string;
  bytes: number;
  /** `bytes` at the latest check of the rate; null before the first. */
  checkedBytes: number | null;
  /** Ends the request of an unfinished body, which releases it. */
  end(why: "full" | "slow"): void;
}

interface Client {
  bytes: number;
  bodies: number;
  /** Oldest first. */
  unfinished: Set<HeldBody>;
}

/**
 * Limits the bytes of request bodies in memory, in total and per client. When a limit is reached the oldest unfinished
 * body ends, so that slow uploads never keep out a body that arrives at once.
 */
export class BodyBudget {
  #total = 0;
  /** Oldest first. */
  readonly #unfinished = new Set<HeldBody>();
  /** Only clients with bodies in memory. */
  readonly #clients = new Map<string, Client>();

  constructor(
    readonly maxBytes: number,
    readonly maxBytesPerClient: number,
  ) {}

  /** Starts to count a body of this client. */
  open(client: string, end: HeldBody["end"]): HeldBody {
    const body: HeldBody = { client, bytes: 0, checkedBytes: null, end };
    let held = this.#clients.get(client);
    if (!held) {
      held = { bytes: 0, bodies: 0, unfinished: new Set() };
      this.#clients.set(client, held);
    }
    held.bodies++;
    held.unfinished.add(body);
    this.#unfinished.add(body);
    return body;
  }

  /**
   * Reserves further bytes for an unfinished body, and ends older ones when a limit would be exceeded.
   *
   * @returns false, without reserving any, when they do not fit beside the bodies that are being processed.
   */
  reserve(body: HeldBody, bytes: number): boolean {
    const client = this.#clients.get(body.client) as Client;
    const fitsClient = () => client.bytes + bytes <= this.maxBytesPerClient;
    const fits = () => this.#total + bytes <= this.maxBytes;
    if (!endOldest(client.unfinished, body, fitsClient) || !endOldest(this.#unfinished, body, fits)) return false;
    body.bytes += bytes;
    client.bytes += bytes;
    this.#total += bytes;
    return true;
  }

  isUnfinished(body: HeldBody): boolean {
    return this.#unfinished.has(body);
  }

  /** Keeps the bytes of a body that has arrived as a whole. */
  finish(body: HeldBody): void {
    this.#unfinished.delete(body);
    this.#clients.get(body.client)?.unfinished.delete(body);
  }

  /** Releases a body. */
  release(body: HeldBody): void {
    this.finish(body);
    const client = this.#clients.get(body.client) as Client;
    this.#total -= body.bytes;
    client.bytes -= body.bytes;
    client.bodies--;
    if (client.bodies === 0) this.#clients.delete(body.client);
  }

  /** Ends the bodies of which fewer than `minBytes` have arrived since the call before. */
  endSlow(minBytes: number): void {
    for (const body of this.#unfinished) {
      const { checkedBytes, bytes } = body;
      body.checkedBytes = bytes;
      if (checkedBytes !== null && bytes - checkedBytes < minBytes) body.end("slow");
    }
  }

  /** The number of clients with bodies in memory. */
  get clients(): number {
    return this.#clients.size;
  }
}

/** Ends the oldest of these bodies until the condition holds; never `keep`. @returns whether it holds. */
function endOldest(bodies: Set<HeldBody>, keep: HeldBody, holds: () => boolean): boolean {
  for (const body of bodies) {
    if (holds()) return true;
    if (body !== keep) body.end("full");
  }
  return holds();
}
