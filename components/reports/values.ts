import { domainToUnicode } from "node:url";
import { capitalise } from "@/components/ui/capitalise";
import { HAS_PATHS } from "@/lib/analytics/query/dimensions";
import { countryName } from "@/lib/platform/country-name";
import { legiblePath } from "@/lib/platform/legible";

/** Display names of dimension values. Server only, because `Intl` names differ between browsers. */

const UNKNOWN: Record<string, string> = {
  source: "Direct or unknown",
  page: "Unknown page",
  entry_page: "Unknown page",
  exit_page: "Unknown page",
};

/** Returns the display name of a value; null and `""` mean unknown or none. */
export function valueName(key: string, value: string | null): string {
  if (value === null || value === "") return UNKNOWN[key] ?? "Unknown";
  if (key === "country") return countryName(value);
  if (key === "hostname") return domainToUnicode(value);
  if (HAS_PATHS.has(key)) return legiblePath(value);
  return key === "channel" || key === "device" ? capitalise(value) : value;
}

/** Returns the codes of the countries whose name contains the text or whose code it is. */
export const countriesNamed = (text: string): string[] =>
  COUNTRIES.filter(
    (code) => code === text.toUpperCase() || countryName(code).toLowerCase().includes(text.toLowerCase()),
  );

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** All current country codes that `Intl` has a name for. */
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) =>
    countryName(code) !== code &&
    new Intl.Locale(`und-${code}`).region === code &&
    !["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"].includes(code),
);
