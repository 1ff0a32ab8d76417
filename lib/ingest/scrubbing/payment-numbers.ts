import { getCountrySpecifications, isValidIBAN } from "ibantools";
import type { Replace } from "@/lib/ingest/scrubbing/kinds";

/**
 * The networks of payment cards: first digits and lengths (ISO/IEC 7812 and the networks' published ranges). Visa's old 13
 * digits are not here: article numbers have them.
 */
const CARD_NETWORKS: readonly { first: RegExp; lengths: readonly number[] }[] = [
  { first: /^4/, lengths: [16] }, // Visa
  { first: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] }, // Mastercard
  { first: /^3[47]/, lengths: [15] }, // American Express
  { first: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] }, // Discover
  { first: /^(?:30[0-5]|3095|3[689])/, lengths: [14, 16] }, // Diners Club
  { first: /^35(?:2[89]|[3-8])/, lengths: [16] }, // JCB
  { first: /^62/, lengths: [16, 19] }, // UnionPay
  { first: /^220[0-4]/, lengths: [16] }, // Mir
  { first: /^(?:50(?:18|20|38)|5893|6304|6759|676[1-3])/, lengths: [16, 18, 19] }, // Maestro
  { first: /^(?:508[5-9]|60(?:69|7|8)|81|82)/, lengths: [16] }, // RuPay
];

// Does not match the digits of a UUID.
const CARD_NUMBER =
  /(?:(?<=%[0-9a-f]{2})|(?<![a-z0-9%]|\d[.,]))\d(?:(?:[ \u00a0.+_-]|%20|%2D|%C2%A0)?\d){13,22}(?!-?[a-z0-9]|\.\d)/gi;
const GROUP = /\d+/g;

/** Replaces card numbers, also in groups and beside other groups of digits. */
export const replaceCards = (text: string, replace: Replace): string =>
  text.replace(CARD_NUMBER, (found) => {
    const groups = [...found.replace(/%20|%2D|%C2%A0/gi, (gap) => " ".repeat(gap.length)).matchAll(GROUP)];
    for (const [index, first] of groups.entries()) {
      let digits = "";
      // People group at least three digits.
      for (const group of groups.slice(index, index + 5)) {
        if (group[0].length < 3) break;
        digits += group[0];
        if (digits.length > 19) break;
        if (isCard(digits))
          return found.slice(0, first.index) + replace("card") + found.slice(group.index + group[0].length);
      }
    }
    return found;
  });

/**
 * Returns whether digits are a card's number by network, length and Luhn's check digit, so that timestamps, order numbers
 * and article numbers are not.
 */
export function isCard(digits: string): boolean {
  if (!CARD_NETWORKS.some(({ first, lengths }) => lengths.includes(digits.length) && first.test(digits))) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

const LENGTHS = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars, IBANRegistry }]) =>
    chars && IBANRegistry ? [[country, chars] as const] : [],
  ),
);

/** A country, two check digits and at least eleven characters, in groups or not. */
const IBAN = /(?:(?<=%[0-9a-f]{2})|(?<![a-z0-9%]))([a-z]{2})\d{2}(?:(?:[ +_-]|%20)?[a-z0-9]){11,34}/gi;
const GROUP_SEPARATOR = /%20|[ +_-]/g;

/** Replaces IBANs: the length of their country, and both checksums (ISO 13616). What follows in the text stays. */
export const replaceIbans = (text: string, replace: Replace): string =>
  text.replace(IBAN, (found: string, country: string) => {
    const length = LENGTHS.get(country.toUpperCase());
    const end = length ? ibanEndIn(found, length) : null;
    if (end === null) return found;
    const written = found.slice(0, end).replace(GROUP_SEPARATOR, "").toUpperCase();
    return isValidIBAN(written) ? replace("iban") + found.slice(end) : found;
  });

/** Returns where a number of characters ends, separators not counted; null when it ends within a word. */
function ibanEndIn(text: string, length: number): number | null {
  let counted = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith("%20", at)) at += 2;
    else if (!/[ +_-]/.test(text[at] ?? "")) counted++;
    if (counted === length) return /^[a-z0-9]/i.test(text.slice(at + 1)) ? null : at + 1;
  }
  return null;
}
