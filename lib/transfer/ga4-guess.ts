import type { ColumnMeaning } from "@/lib/contract/import-columns";
import { countryCode } from "@/lib/transfer/countries";
import { AUTOMATIC_EVENTS, GA4_LANGUAGES, known } from "@/lib/transfer/ga4-columns";
import { ga4Number } from "@/lib/transfer/ga4-numbers";

/** What a column with an unknown name means by its values. */

/** Values that Google Analytics has in English in every language. */
const FIXED: readonly [ColumnMeaning, ReadonlySet<string>][] = [
  ["device", new Set(["desktop", "mobile", "tablet", "smart tv"])],
  ["os", new Set(["Android", "Chrome OS", "Linux", "Macintosh", "Windows", "iOS"])],
  [
    "browser",
    new Set(
      "Android Webview|Chrome|Edge|Firefox|Internet Explorer|Opera|Safari|Safari (in-app)|Samsung Internet".split("|"),
    ),
  ],
  [
    "channel",
    new Set(
      "Affiliates|Audio|Cross-network|Direct|Display|Email|Mobile Push Notifications|Organic Search|Organic Shopping|Organic Social|Organic Video|Paid Other|Paid Search|Paid Shopping|Paid Social|Paid Video|Referral|SMS|Unassigned".split(
        "|",
      ),
    ),
  ],
];

const isDate = (value: string) => /^(19|20)\d\d-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])$/.test(value);
/** GA4 writes the number of a day with leading zeros. */
const isDayNumber = (value: string) => /^\d{4,5}$/.test(value);

/**
 * Returns what the values of a column can only mean; null if that is not certain.
 *
 * @param values of the first rows
 */
export function certainMeaning(values: readonly string[]): ColumnMeaning | null {
  const present = values.filter((value) => value !== "");
  if (present.length === 0) return null;
  if (present.every(isDate)) return "date";
  if (present.every(isDayNumber) && present.some((value) => value.startsWith("00"))) return "nth_day";
  const numbers = present.map(numberOrNull);
  // Fractions are averages and shares, never a dimension; counts are whole.
  if (numbers.every((number) => number !== null))
    return numbers.some((number) => number !== null && !Number.isInteger(number)) ? "ignored" : null;
  const named = present.filter((value) => known(value) !== "");
  if (named.length === 0) return null;
  for (const [meaning, list] of FIXED) if (named.every((value) => list.has(value))) return meaning;
  if (named.some((value) => AUTOMATIC_EVENTS.has(value))) return "event";
  if (named.every((value) => / \/ /.test(value))) return "source_medium";
  if (named.every((value) => value.length > 2 && countryCode(value, GA4_LANGUAGES) !== null)) return "country";
  return null;
}

function numberOrNull(text: string): number | null {
  try {
    return ga4Number(text, "whole", "");
  } catch {
    return fractionOrNull(text);
  }
}

function fractionOrNull(text: string): number | null {
  try {
    return ga4Number(text, "fraction", "");
  } catch {
    return null;
  }
}

/**
 * Returns the most likely meanings of columns that are left, by the order in which reports have them: users, sessions and
 * views, each at least as many as the one before.
 *
 * @param columns values by column, in order
 * @param missing what the file must have and no column is
 */
export function likelyMeanings(
  columns: readonly (readonly string[])[],
  missing: readonly ColumnMeaning[],
): (ColumnMeaning | null)[] {
  const counts = columns.map((values) => values.map(numberOrNull));
  const isCount = counts.map((numbers) => numbers.every((number) => number !== null));
  const left = [...missing];
  return columns.map((values, index) => {
    if (isCount[index]) return left.shift() ?? "ignored";
    return values.every((value) => value.startsWith("/")) ? "page" : null;
  });
}
