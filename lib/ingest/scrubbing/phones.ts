import {
  type CountryCode,
  findPhoneNumbersInText,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min";
import type { Replace } from "@/lib/ingest/scrubbing/kinds";

const GAP = "(?:[ \\u00a0.()/-]|%20|%28|%29|%C2%A0)";
/** A plus sign and 7 to 15 digits, in groups or not. */
const INTERNATIONAL = new RegExp(
  `(?:(?<=%[0-9a-f]{2})|(?<![\\w+]))(?:\\+|%2B)[1-9](?:${GAP}{0,4}\\d){6,14}(?!\\d)`,
  "gi",
);
/** The digits of a North American number as people write them there. */
const NORTH_AMERICAN = /(?<![\w)])(?:1[ -])?\([2-9]\d{2}\)[ -]?\d{3}[ .-]\d{4}(?!\w)/g;
/** Links that call or write to a number. */
const LINK =
  /(?:(?<=%[0-9a-f]{2})|(?<![a-z0-9]))((?:tel|sms|callto|whatsapp|facetime|viber)(?::|%3A)(?:\/\/|%2F%2F)?|(?:wa|t)\.me(?:\/|%2F)|whatsapp\.com(?:\/|%2F)send(?:\/|%2F)|signal\.me\/#p\/)((?:\+|%2B)?\d(?:(?:[ .()-]|%20|%28|%29){0,2}\d){4,16})(?![\w.])/gi;

/** Replaces international numbers that their country can have, and the numbers of links that call. */
export function replacePhones(text: string, replace: Replace): string {
  return text
    .replace(LINK, (_, link: string) => link + replace("phone"))
    .replace(INTERNATIONAL, (found) => (isPossible(found) ? replace("phone") : found))
    .replace(NORTH_AMERICAN, () => replace("phone"));
}

function isPossible(written: string): boolean {
  const plain = written.replace(/^%2B/i, "+").replace(/%2[089]/g, " ");
  return parsePhoneNumberFromString(plain)?.isValid() ?? false;
}

/**
 * Returns whether the value of something named like a phone number has one: 6 to 15 digits as people write them, or a
 * number within a text.
 *
 * @param country where a national number is dialled, ISO 3166-1; '' if unknown.
 */
export function hasPhone(value: string, country: string): boolean {
  if (/^[\d\s()+./-]{6,32}$/.test(value)) {
    const digits = value.replace(/\D/g, "").length;
    return digits >= 6 && digits <= 15;
  }
  const known = isSupportedCountry(country as CountryCode) ? { defaultCountry: country as CountryCode } : {};
  return /\d{3}/.test(value) && findPhoneNumbersInText(value.slice(0, 200), known).length > 0;
}
