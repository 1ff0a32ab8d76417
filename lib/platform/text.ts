/** Control characters, and those that turn the direction of what follows: they make text look like other text. */
const DECEIVING = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const EVERY_DECEIVING = new RegExp(DECEIVING, "gu");

/** Text that strangers wrote, without what could deceive its reader. */
export const plainText = (text: string): string => (DECEIVING.test(text) ? text.replace(EVERY_DECEIVING, "") : text);

/** Plain text of at most so many UTF-8 bytes, no character cut in two: an index row holds only about 2,700. */
export function clip(text: string, bytes: number): string {
  // Most text is plain ASCII: a byte a character and nothing to look for.
  if (text.length <= bytes && /^[ -~]*$/.test(text)) return text;
  let cut = plainText(text.toWellFormed());
  if (cut.length * 3 <= bytes) return cut;
  cut = cut.slice(0, bytes);
  while (Buffer.byteLength(cut) > bytes) cut = cut.slice(0, -1);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** The most characters of a path that are stored. */
export const LONGEST_PATH = 2048;

/** The beginning of a percent-encoded byte, and of a percent-encoded character that needs more bytes. */
const CUT_BYTE = /%[0-9a-f]?$/i;
const CUT_CHARACTER = /%(?:[cd][0-9a-f]|e[0-9a-f](?:%[89ab][0-9a-f])?|f[0-4](?:%[89ab][0-9a-f]){0,2})$/i;

/** A path as it is stored: plain text, cut to `LONGEST_PATH` characters without splitting a character, encoded or not. */
export function clipPath(path: string): string {
  const plain = /^[ -~]*$/.test(path) ? path : plainText(path.toWellFormed());
  if (plain.length <= LONGEST_PATH) return plain;
  const cut = plain.slice(0, LONGEST_PATH);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).replace(CUT_BYTE, "").replace(CUT_CHARACTER, "");
}

/** A text as an address, or null when it is none. Most are: asking first would parse each of them twice. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
