import { createHmac, randomBytes } from "node:crypto";
import type { Doubt } from "@/lib/ingest/store/event-row";
import { freshBytes } from "@/lib/ingest/store/fresh-bytes";
import { derivedKeys } from "@/lib/platform/secrets";

/**
 * Ids of events whose sender chose none. Nobody else can hold such an id before its event is answered for, so that
 * nothing has to be kept about it: the id itself says, sealed under our key, what became of the event. It stands for
 * 21 bytes in base64url, 32 characters in all with its form in front.
 *
 * `ffe_`: the event was stored. Its number in the request, the request's nonce (12), seal (8).
 * `ffu_`: the answer to COMMIT was lost. Transaction (6), place in it (2), time in milliseconds (6), seal (7).
 */

const BYTES = 21;
const NONCE_BYTES = 12;
const [STORED, IN_DOUBT] = ["ffe_", "ffu_"] as const;
const SEAL_BYTES = { [STORED]: 8, [IN_DOUBT]: 7 };
/** Of the events of one request so many are sealed by one digest, whose parts nobody can work out from each other. */
const SEALS_OF_DIGEST = 32 / SEAL_BYTES[STORED];
type Form = keyof typeof SEAL_BYTES;

/** Gives the events of one request their ids. */
export class FreshIds {
  private readonly nonce = randomBytes(NONCE_BYTES);
  /** The digests that were worked out so far, by their numbers. */
  private readonly digests: Buffer[] = [];

  constructor(private readonly siteId: number) {}

  /** The id of a stored event, which is a duplicate when it comes again. `index` is 0 to 255. */
  stored(index: number): string {
    const number = Math.floor(index / SEALS_OF_DIGEST);
    this.digests[number] ??= storedDigest(newestKey(), number, this.nonce, this.siteId);
    const id = Buffer.allocUnsafe(BYTES);
    id[0] = index;
    this.nonce.copy(id, 1);
    sealIn(this.digests[number], index).copy(id, BYTES - SEAL_BYTES[STORED]);
    return STORED + id.toString("base64url");
  }

  /** The id of an event that may be stored or not: asked when it comes again. */
  inDoubt({ xid, place, at }: Doubt): string {
    const body = Buffer.alloc(14);
    body.writeUIntBE(Number(xid), 0, 6);
    body.writeUIntBE(place, 6, 2);
    body.writeUIntBE(at.getTime(), 8, 6);
    const seal = sealOf(newestKey(), body, this.siteId);
    return IN_DOUBT + Buffer.concat([body, seal]).toString("base64url");
  }

  /** The id of an event that was not stored; it may come again with it. */
  other(): string {
    return STORED + freshBytes(BYTES).toString("base64url");
  }
}

/** Whether an id is one that this site was given for a stored event. */
export const wasStored = (eventId: string, siteId: number): boolean => opened(STORED, eventId, siteId) !== null;

/** What an id tells that this site was given for an event which may be stored or not; null for any other id. */
export function doubtOf(eventId: string, siteId: number): Doubt | null {
  const body = opened(IN_DOUBT, eventId, siteId);
  if (!body) return null;
  const at = new Date(body.readUIntBE(8, 6));
  return { xid: `${body.readUIntBE(0, 6)}`, place: body.readUIntBE(6, 2), at };
}

/** Four random numbers of 16 bits, as lib/tracker/send.ts makes them; nobody else's ids look like it. */
export const isPageId = (eventId: string): boolean => /^\d{1,5}(__\d{1,5}){3}$/.test(eventId);

/** What an id holds beside its seal, when one of our keys sealed it for this site; null for any other id. */
function opened(form: Form, eventId: string, siteId: number): Buffer | null {
  if (!eventId.startsWith(form) || eventId.length !== 32) return null;
  const bytes = Buffer.from(eventId.slice(form.length), "base64url");
  const body = bytes.subarray(0, BYTES - SEAL_BYTES[form]);
  const seal = bytes.subarray(body.length);
  const again = form === STORED ? storedSeal : sealOf;
  return derivedKeys(PURPOSE).some((key) => again(key, body, siteId).equals(seal)) ? body : null;
}

const PURPOSE = "event ids";
const newestKey = (): Buffer => derivedKeys(PURPOSE)[0] as Buffer;

function storedSeal(key: Buffer, body: Buffer, siteId: number): Buffer {
  const [index = 0] = body;
  const number = Math.floor(index / SEALS_OF_DIGEST);
  return sealIn(storedDigest(key, number, body.subarray(1), siteId), index);
}

function sealIn(digest: Buffer, index: number): Buffer {
  const from = (index % SEALS_OF_DIGEST) * SEAL_BYTES[STORED];
  return digest.subarray(from, from + SEAL_BYTES[STORED]);
}

const storedDigest = (key: Buffer, number: number, nonce: Buffer, siteId: number): Buffer =>
  createHmac("sha256", key).update(`${STORED}${siteId}|${number}|`).update(nonce).digest();

const sealOf = (key: Buffer, body: Buffer, siteId: number): Buffer =>
  createHmac("sha256", key).update(`${IN_DOUBT}${siteId}|`).update(body).digest().subarray(0, SEAL_BYTES[IN_DOUBT]);
