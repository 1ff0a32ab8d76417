import { createHmac } from "node:crypto";

/** An authenticator app (RFC 6238), for a person of a story. Written apart from ours, as those on phones are. */
export interface Authenticator {
  /** A code that has not been shown yet: that of now, then those to come. */
  next(): string;
}

export function authenticator(secret: string): Authenticator {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret.replace(/\s/g, "")].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  let step = Math.floor(Date.now() / 30_000) - 1;
  return {
    next() {
      step += 1;
      const counter = Buffer.alloc(8);
      counter.writeUInt32BE(step, 4);
      const mac = createHmac("sha1", key).update(counter).digest();
      const at = (mac.at(-1) ?? 0) & 15;
      return `${(mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000}`.padStart(6, "0");
    },
  };
}
