import { createHmac, randomInt } from "node:crypto";
import { derivedKeys } from "@/lib/platform/secrets";

/** Consonants only, to avoid words and look-alike characters (RFC 8628 section 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

/** Returns a random user code, `XXXX-XXXX`, of 34.6 bits. */
export function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Returns the code's HMAC under each server key, newest first. A plain digest of 35 bits could be brute-forced. */
export function userCodeHashes(typed: string): Uint8Array<ArrayBuffer>[] {
  const letters = typed
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z]/g, "");
  return derivedKeys("user-code").map((key) => new Uint8Array(createHmac("sha256", key).update(letters).digest()));
}
