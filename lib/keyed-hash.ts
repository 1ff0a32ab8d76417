import { hash } from "node:crypto";

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

interface Prepared {
  /** The key's inner block, with room for a text after it. */
  inner: Buffer;
  /** The key's outer block, with room for the inner digest. */
  outer: Buffer;
}

const prepared = new WeakMap<Buffer, Prepared>();

/**
 * HMAC-SHA256 (RFC 2104) of a message under a key of at most 64 bytes, which must not be changed afterwards: what
 * `createHmac` answers, in a fifth of its time. Two whole digests cost less than an object that takes one in pieces, and a
 * digest as text less than as bytes, which Node keeps outside of its heap.
 */
export const keyedHash = (key: Buffer, message: string | Buffer): Buffer =>
  Buffer.from(digestOf(key, message), "latin1");

const first = Buffer.alloc(DIGEST_BYTES);

/** The first eight bytes of the same, as the decimal text of a 64-bit integer. */
export function keyedNumber(key: Buffer, message: string): string {
  first.write(digestOf(key, message), "latin1");
  return first.readBigInt64BE(0).toString();
}

/** Each byte as the character of its number. */
function digestOf(key: Buffer, message: string | Buffer): string {
  const { inner, outer } = prepared.get(key) ?? prepare(key);
  const bytes = typeof message === "string" ? Buffer.byteLength(message) : message.length;
  const end = BLOCK_BYTES + bytes;
  const whole = end <= inner.length ? inner : Buffer.concat([inner.subarray(0, BLOCK_BYTES)], end);
  if (typeof message === "string") whole.write(message, BLOCK_BYTES);
  else message.copy(whole, BLOCK_BYTES);
  outer.write(hash("sha256", whole.subarray(0, end), "binary"), BLOCK_BYTES, "latin1");
  // A message may be an address: it stays here no longer than this takes.
  whole.fill(0, BLOCK_BYTES, end);
  return hash("sha256", outer, "binary");
}

function prepare(key: Buffer): Prepared {
  if (key.length > BLOCK_BYTES) throw new RangeError("The key may have at most 64 bytes");
  const block = (pad: number) => Buffer.alloc(BLOCK_BYTES, pad).map((byte, at) => byte ^ (key[at] ?? 0)) as Buffer;
  const made = {
    inner: Buffer.concat([block(0x36), Buffer.alloc(1024)]),
    outer: Buffer.concat([block(0x5c), Buffer.alloc(DIGEST_BYTES)]),
  };
  prepared.set(key, made);
  return made;
}
