import { createHmac } from "node:crypto";

/** Authenticator app (RFC 6238). Implemented independently of the server's code, as the apps on phones are. */
export interface Authenticator {
  /** Returns a code that was not used yet: the current one or, once it is used, that of the next time step. */
  next(): string;
}

export function authenticator(secret: string): Authenticator {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret.replace(/\s/g, "")].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  let step = 0;
  return {
    next() {
      step = Math.max(step + 1, Math.floor(Date.now() / 30_000));
      const counter = Buffer.alloc(8);
      counter.writeUInt32BE(step, 4);
      const mac = createHmac("sha1", key).update(counter).digest();
      const offset = (mac.at(-1) ?? 0) & 15;
      return `${(mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000}`.padStart(6, "0");
    },
  };
}
