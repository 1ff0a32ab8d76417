import { formatPlural } from "@/components/ui/format";
import { changeBetween } from "@/lib/contract/changes";

/** The parts of the sentence on top of a report, which says first what changed or what is worst. */

/** A difference within fewer observations may well be chance, so a sentence on fewer says so. */
export const FEW = 20;

/** Characters that begin and end a change of direction. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Isolates a name that a visitor or an owner wrote, so that neither its letters nor its marks reorder the sentence. */
export const named = (text: string): string => `\u2068${text.replaceAll(DIRECTIONS, "")}\u2069`;

interface Moved {
  label: string;
  /** Whether the label is a plural: "Orders were". */
  isPlural?: boolean;
  isRate?: boolean;
  now: number | null;
  /** The number of the comparison: undefined without one, null if it is unknown. */
  before: number | null | undefined;
  format(value: number): string;
}

/** Returns how a number moved, without a full stop: "Revenue rose by 2% to 9,098.60 EUR"; null if it is unknown. */
export function moved({ label, isPlural = false, isRate = false, now, before, format }: Moved): string | null {
  if (now === null) return null;
  if (before === undefined || before === null) return `${label} ${isPlural ? "were" : "was"} ${format(now)}`;
  const verb = now > before ? "rose" : "fell";
  const change = changeBetween({ label, isRate }, now, before, format);
  if (change === null && before !== 0) return `${label} stayed at ${format(now)}`;
  if (change === null || change.text.startsWith("×")) {
    return now === before
      ? `${label} stayed at ${format(now)}`
      : `${label} ${verb} from ${format(before)} to ${format(now)}`;
  }
  const size = change.text.replace("<", "less than ").replace(/ pts$/, change.text === "1 pts" ? " point" : " points");
  return `${label} ${verb} by ${size} to ${format(now)}`;
}

/** Returns the sentences that are known as one text, each with its full stop; null if none is. */
export function sentencesOf(...sentences: (string | null | false | undefined)[]): string | null {
  const known = sentences.filter((one): one is string => typeof one === "string" && one !== "");
  return known.length > 0 ? known.map((one) => `${one}.`).join(" ") : null;
}

/** Returns a caution where there are few observations; null where there are enough. */
export const caution = (count: number, one: string, other = `${one}s`): string | null =>
  count < FEW
    ? `There ${count === 1 ? "is" : "are"} only ${formatPlural(count, one, other)}, so differences may be chance`
    : null;
