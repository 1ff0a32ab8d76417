/** Numbers and durations as Google Analytics and spreadsheets of any language write them. */

/** Digits that are not ASCII: Arabic, Persian, Devanagari. */
const ZEROS = [0x0660, 0x06f0, 0x0966];
const SPACES = /[\s\u00a0\u2009\u202f'’٬]/g;

const asciiDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });

/**
 * Parses a number that is not negative.
 *
 * @param kind a count is whole, so a separator before three digits is one of thousands; of a fraction, a single separator
 *   is that of decimals
 * @returns null, which is unknown, for empty text; a share for a percentage; seconds for 00:01:30
 * @throws Error naming the column
 */
export function ga4Number(text: string, kind: "whole" | "fraction", name: string): number | null {
  if (text.trim() === "") return null;
  const isPercent = /[%٪]/.test(text);
  const plain = asciiDigits(text)
    .replace(/[%٪\u200e\u200f]/g, "")
    .replace(SPACES, "")
    .replaceAll("٫", ",");
  const value = plain.includes(":") ? secondsOf(plain) : Number(withPoint(plain, kind));
  if (!Number.isFinite(value) || value < 0 || plain === "") throw new Error(`${name} is not a number: ${text}`);
  return isPercent ? value / 100 : value;
}

function withPoint(text: string, kind: "whole" | "fraction"): string {
  const grouped = /^\d{1,3}([.,])\d{3}(\1\d{3})*$/.exec(text);
  const [, separator = ""] = grouped ?? [];
  if (grouped && (kind === "whole" || text.split(separator).length > 2)) return text.replaceAll(separator, "");
  // Indian groups have two digits, except for the last.
  if (/^\d{1,2}(,\d\d)+,\d{3}(\.\d+)?$/.test(text)) return text.replaceAll(",", "");
  const both = /^\d{1,3}(?:([.,])\d{3})+([.,])\d+$/.exec(text);
  if (both && both[1] !== both[2]) return text.replaceAll(both[1] as string, "").replace(",", ".");
  return /^\d+([.,]\d+)?(e[+-]?\d{1,3})?$/i.test(text) ? text.replace(",", ".") : "none";
}

function secondsOf(text: string): number {
  const [, hours = "0", minutes, seconds] = /^(?:(\d{1,5}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d+)?)$/.exec(text) ?? [];
  return minutes === undefined
    ? Number.NaN
    : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds?.replace(",", "."));
}
