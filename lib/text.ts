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

/** A text as an address, or null when it is none. Most are: asking first would parse each of them twice. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
