import { createHmac, randomBytes } from "node:crypto";
import { derivedKeys } from "@/lib/secrets";

/**
 * Ids of events whose sender chose none. Nobody else can hold such an id before its event is stored and answered, so
 * that nothing has to be kept about it: an id that was given to a stored event says so itself, under our key. It
 * stands for number, nonce and seal in base64url, 32 characters in all.
 */

const PREFIX = "ffe_";
const NONCE_BYTES = 8;
const SEAL_BYTES = 12;
const FORM = /^ffe_[\w-]{28}$/;

/** Gives the events of one request their ids. */
export class FreshIds {
  private readonly nonce = randomBytes(NONCE_BYTES);
  private seal: Buffer | undefined;

  constructor(private readonly siteId: number) {}

  /** The id of a stored event, which is a duplicate when it comes again. `index` is 0 to 255. */
  stored(index: number): string {
    this.seal ??= sealsOf(this.siteId, this.nonce)[0] as Buffer;
    return PREFIX + Buffer.concat([Buffer.of(index), this.nonce, this.seal]).toString("base64url");
  }

  /** The id of an event that was not stored; it may come again with it. */
  other(): string {
    return PREFIX + randomBytes(1 + NONCE_BYTES + SEAL_BYTES).toString("base64url");
  }
}

/** Whether an id is one that this site was given for a stored event. */
export function wasStored(eventId: string, siteId: number): boolean {
  if (!FORM.test(eventId)) return false;
  const bytes = Buffer.from(eventId.slice(PREFIX.length), "base64url");
  const seal = bytes.subarray(1 + NONCE_BYTES);
  return sealsOf(siteId, bytes.subarray(1, 1 + NONCE_BYTES)).some((own) => own.equals(seal));
}

/** By every key of the ring, newest first. */
const sealsOf = (siteId: number, nonce: Buffer): Buffer[] =>
  derivedKeys("event ids").map((key) =>
    createHmac("sha256", key).update(`${siteId}|`).update(nonce).digest().subarray(0, SEAL_BYTES),
  );
