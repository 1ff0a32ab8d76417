/** Numbers as people read them in exports of other services: with separators, per cent and times. Empty text is unknown. */

const SPACES = /[\s\u00a0\u202f]/g;
const GROUPED = /^\d{1,3}(?:[.,'’]\d{3})+$/;

/** Parses a count, with or without separators of thousands. @throws Error for anything else */
export function countOf(text: string, name: string): number | null {
  const compact = text.replace(SPACES, "");
  if (compact === "") return null;
  const digits = GROUPED.test(compact) ? compact.replace(/[.,'’]/g, "") : compact.replace(/[.,]0+$/, "");
  if (!/^\d{1,15}$/.test(digits)) throw new Error(`${name} is not a whole number: ${text}`);
  return Number(digits);
}

/** Parses a number with a decimal point or comma. */
function decimalOf(text: string, name: string): number {
  if (!/^\d{1,15}(?:[.,]\d+)?$/.test(text)) throw new Error(`${name} is not a number: ${text}`);
  return Number(text.replace(",", "."));
}

/** Parses a share: per cent, or 0 to 1 without a sign. @throws Error for anything else */
export function rateOf(text: string, name: string): number | null {
  const compact = text.replace(SPACES, "");
  if (compact === "") return null;
  const share = compact.includes("%") ? decimalOf(compact.replace("%", ""), name) / 100 : decimalOf(compact, name);
  if (share > 1) throw new Error(`${name} is not a share: ${text}`);
  return share;
}

const CLOCK = /^(?:(\d+) \p{L}+ )?(\d+):(\d\d):(\d\d(?:[.,]\d+)?)$/u;
const SENTENCE = /^(?:(\d+) ?min(?:uten|utes|utos)?\.? )?(\d+(?:[.,]\d+)?) ?s(?:ek\.?)?$/i;

/** Parses seconds, such as `271`, `00:04:31`, `1 day 02:03:04` or `4 min 31s`. @throws Error for anything else */
export function secondsOf(text: string, name: string): number | null {
  const spaced = text.replace(SPACES, " ").trim();
  if (spaced === "") return null;
  const [clock, days = "0", hours = "0", minutes = "0", seconds = "0"] = CLOCK.exec(spaced) ?? [];
  if (clock !== undefined)
    return Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + decimalOf(seconds, name);
  const [sentence, wholeMinutes = "0", rest = "0"] = SENTENCE.exec(spaced) ?? [];
  if (sentence !== undefined) return Number(wholeMinutes) * 60 + decimalOf(rest, name);
  if (/^\d+(?:[.,]\d+)?$/.test(spaced)) return decimalOf(spaced, name);
  throw new Error(`${name} is not a number of seconds: ${text}; export it without formatted metrics`);
}
