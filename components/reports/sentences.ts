import { changeBetween } from "@/lib/contract/changes";
import { msg, t } from "@/lib/texts/translate";

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
  const known = { label, now: format(now) };
  if (before === undefined || before === null) {
    return isPlural ? t("{label} were {now}", known) : t("{label} was {now}", known);
  }
  const isUp = now > before;
  const change = changeBetween({ label, isRate }, now, before, format);
  if (now === before || (change === null && before !== 0)) return t("{label} stayed at {now}", known);
  if (change === null || change.text.startsWith("×")) {
    const both = { ...known, before: format(before) };
    return isUp ? t("{label} rose from {before} to {now}", both) : t("{label} fell from {before} to {now}", both);
  }
  const by = { ...known, size: isRate ? pointsOf(change.text) : sizeOf(change.text) };
  return isUp ? t("{label} rose by {size} to {now}", by) : t("{label} fell by {size} to {now}", by);
}

/** Returns the size of a change in a sentence: "less than 1%". */
const sizeOf = (text: string): string => (text.startsWith("<") ? t("less than {size}", { size: text.slice(1) }) : text);

/** Returns the change of a rate in a sentence, which begins with its number: "1.2 points". */
function pointsOf(text: string): string {
  const [points = ""] = text.split(" ");
  return points === "1" ? t("1 point") : t("{points} points", { points });
}

/** Returns the sentences that are known as one text, each with its full stop; null if none is. */
export function sentencesOf(...sentences: (string | null | false | undefined)[]): string | null {
  const known = sentences.filter((one): one is string => typeof one === "string" && one !== "");
  return known.length > 0 ? known.map((one) => `${one}.`).join(" ") : null;
}

/** Returns a caution where there are few observations; null where there are enough. */
export const caution = (count: number, of: keyof typeof CAUTIONS): string | null =>
  count < FEW ? t(CAUTIONS[of], { count }) : null;

const CAUTIONS = {
  visit: msg(
    "{count, plural, one {There is only # visit} other {There are only # visits}}, so differences may be chance",
  ),
  visitor: msg(
    "{count, plural, one {There is only # visitor} other {There are only # visitors}}, so differences may be chance",
  ),
  event: msg(
    "{count, plural, one {There is only # event} other {There are only # events}}, so differences may be chance",
  ),
  order: msg(
    "{count, plural, one {There is only # order} other {There are only # orders}}, so differences may be chance",
  ),
  search: msg(
    "{count, plural, one {There is only # search} other {There are only # searches}}, so differences may be chance",
  ),
};
