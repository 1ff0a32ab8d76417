import { getCountrySpecifications, isValidIBAN } from "ibantools";
import type { Replace } from "@/lib/ingest/scrubbing/kinds";

const LENGTHS = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars, IBANRegistry }]) =>
    chars && IBANRegistry ? [[country, chars] as const] : [],
  ),
);

/** A country, two check digits and at least eleven characters, in groups or not. */
const CANDIDATE = /(?:(?<=%[0-9a-f]{2})|(?<![a-z0-9%]))([a-z]{2})\d{2}(?:(?:[ +_-]|%20)?[a-z0-9]){11,34}/gi;
const SEPARATOR = /%20|[ +_-]/g;

/** Replaces IBANs: the length of their country, and both checksums (ISO 13616). What follows in the text stays. */
export const replaceIbans = (text: string, replace: Replace): string =>
  text.replace(CANDIDATE, (found: string, country: string) => {
    const length = LENGTHS.get(country.toUpperCase());
    const end = length ? endOf(found, length) : null;
    if (end === null) return found;
    const written = found.slice(0, end).replace(SEPARATOR, "").toUpperCase();
    return isValidIBAN(written) ? replace("iban") + found.slice(end) : found;
  });

/** Returns where a number of characters ends, separators not counted; null when it ends within a word. */
function endOf(text: string, length: number): number | null {
  let counted = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith("%20", at)) at += 2;
    else if (!/[ +_-]/.test(text[at] ?? "")) counted++;
    if (counted === length) return /^[a-z0-9]/i.test(text.slice(at + 1)) ? null : at + 1;
  }
  return null;
}
