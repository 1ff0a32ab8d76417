/** Control and bidirectional characters, which make text look like other text. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const EVERY_INVISIBLE = new RegExp(INVISIBLE, "gu");

/** Returns untrusted text without control and bidirectional characters. */
export const plainText = (text: string): string => (INVISIBLE.test(text) ? text.replace(EVERY_INVISIBLE, "") : text);

/**
 * Returns plain text of at most `bytes` UTF-8 bytes without splitting a character: an index row holds only about 2,700.
 */
export function clip(text: string, bytes: number): string {
  // Fast path for ASCII: one byte per character and nothing to remove.
  if (text.length <= bytes && /^[ -~]*$/.test(text)) return text;
  let cut = plainText(text.toWellFormed());
  if (cut.length * 3 <= bytes) return cut;
  cut = cut.slice(0, bytes);
  while (Buffer.byteLength(cut) > bytes) cut = cut.slice(0, -1);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** The maximum length of a stored path. */
export const LONGEST_PATH = 2048;

/** An incomplete percent-encoded byte, and an incomplete percent-encoded character, at the end. */
const CUT_BYTE = /%[0-9a-f]?$/i;
const CUT_CHARACTER = /%(?:[cd][0-9a-f]|e[0-9a-f](?:%[89ab][0-9a-f])?|f[0-4](?:%[89ab][0-9a-f]){0,2})$/i;

/**
 * Returns a path for storage: plain text, cut to `LONGEST_PATH` characters without splitting a character, encoded or
 * not.
 */
export function clipPath(path: string): string {
  const plain = /^[ -~]*$/.test(path) ? path : plainText(path.toWellFormed());
  if (plain.length <= LONGEST_PATH) return plain;
  const cut = plain.slice(0, LONGEST_PATH);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).replace(CUT_BYTE, "").replace(CUT_CHARACTER, "");
}

/** Parses a URL; null when it is invalid. Parses once, unlike `URL.canParse` followed by `new URL`. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
