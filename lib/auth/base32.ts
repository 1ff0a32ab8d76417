const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Encodes bytes in base32 for authenticator apps (RFC 4648 section 6, without padding). */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives.map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}
