import type { Doubt } from "@/lib/ingest/hit";
import { randomFew } from "@/lib/ingest/random";
import { keyedHash } from "@/lib/keyed-hash";
import { derivedKeys } from "@/lib/secrets";

/**
 * Ids of events whose sender chose none. Nobody else can hold such an id before its event is answered for, so that
 * nothing has to be kept about it: the id itself says, sealed under our key, what became of the event. It stands for
 * 21 bytes in base64url, 32 characters in all with its form in front.
 *
 * `ffe_`: the event was stored. Its number in the request, the request's nonce (8), seal (12).
 * `ffu_`: the answer to COMMIT was lost. Transaction (6), place in it (2), time in milliseconds (6), seal (7).
 */

const BYTES = 21;
const NONCE_BYTES = 8;
const [STORED, IN_DOUBT] = ["ffe_", "ffu_"] as const;
const SEAL_BYTES = { [STORED]: 12, [IN_DOUBT]: 7 };
type Form = keyof typeof SEAL_BYTES;

/** Gives the events of one request their ids. */
export class FreshIds {
  private readonly nonce = randomFew(NONCE_BYTES);

  constructor(private readonly siteId: number) {}

  /** The id of a stored event, which is a duplicate when it comes again. `index` is 0 to 255. */
  stored(index: number): string {
    return sealed(STORED, Buffer.concat([Buffer.of(index), this.nonce]), this.siteId);
  }

  /** The id of an event that may be stored or not: asked when it comes again. */
  inDoubt({ xid, place, at }: Doubt): string {
    const body = Buffer.alloc(14);
    body.writeUIntBE(Number(xid), 0, 6);
    body.writeUIntBE(place, 6, 2);
    body.writeUIntBE(at.getTime(), 8, 6);
    return sealed(IN_DOUBT, body, this.siteId);
  }

  /** The id of an event that was not stored; it may come again with it. */
  other(): string {
    return STORED + randomFew(BYTES).toString("base64url");
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

const sealed = (form: Form, body: Buffer, siteId: number): string =>
  form + Buffer.concat([body, sealsOf(form, body, siteId)[0] as Buffer]).toString("base64url");

function opened(form: Form, eventId: string, siteId: number): Buffer | null {
  if (!eventId.startsWith(form) || eventId.length !== 32) return null;
  const bytes = Buffer.from(eventId.slice(form.length), "base64url");
  const body = bytes.subarray(0, BYTES - SEAL_BYTES[form]);
  const seal = bytes.subarray(body.length);
  return sealsOf(form, body, siteId).some((own) => own.equals(seal)) ? body : null;
}

/** By every key of the ring, newest first. */
const sealsOf = (form: Form, body: Buffer, siteId: number): Buffer[] =>
  derivedKeys("event ids").map((key) =>
    keyedHash(key, Buffer.concat([Buffer.from(`${form}${siteId}|`), body])).subarray(0, SEAL_BYTES[form]),
  );
