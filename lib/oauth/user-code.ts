import { createHmac, randomInt } from "node:crypto";
import { derivedKeys } from "@/lib/platform/secrets";

/** Letters that form no words and are not taken for one another (RFC 8628 section 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

/** A user code as a human reads it, `XXXX-XXXX`: 34.6 bits. */
export function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** The forms in which a user code may be kept, the newest key's first. Its bits would be found from a plain digest. */
export function userCodeHashes(typed: string): Uint8Array<ArrayBuffer>[] {
  const letters = typed
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z]/g, "");
  return derivedKeys("user-code").map((key) => new Uint8Array(createHmac("sha256", key).update(letters).digest()));
}
