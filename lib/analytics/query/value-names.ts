import { HAS_PATHS } from "@/lib/analytics/query/dimensions";
import { channelRuleOf } from "@/lib/ingest/enrich/channels";
import { PURPOSE_LABELS } from "@/lib/ingest/event/verdict";
import { countryName, languageName } from "@/lib/platform/intl-names";
import { legiblePath } from "@/lib/platform/legible";
import { legibleHost } from "@/lib/platform/legible-host";
import { capitalise } from "@/lib/texts/capitalise";
import { currentLanguage, msg, t } from "@/lib/texts/translate";

/** Display names of dimension values. Server only, because `Intl` names differ between browsers. */

const UNKNOWN: Record<string, string> = {
  source: msg("Direct or unknown"),
  page: msg("Unknown page"),
  entry_page: msg("Unknown page"),
  exit_page: msg("Unknown page"),
  product: msg("No product"),
};

const UNKNOWN_VALUE = msg("Unknown");

/** The values of dimensions that we name, rather than visitors or owners. */
const NAMED: Record<string, readonly string[]> = {
  device: [msg("Desktop"), msg("Mobile"), msg("Tablet"), msg("TV or console")],
  screen: [
    msg("Phone (under 576 px)"),
    msg("Tablet (576 to 991 px)"),
    msg("Laptop (992 to 1439 px)"),
    msg("Desktop (1440 px and more)"),
  ],
};

/** A source without a name is a host. */
const HAS_ENCODED_LABEL = /^(?:[^\s/]*\.)?xn--[^\s/]*$/;

/** Returns the English text for a dimension's values without a name, which `t` translates. */
export const unknownName = (key: string): string => UNKNOWN[key] ?? UNKNOWN_VALUE;

/** Returns the display name of a value; null and `""` mean unknown or none. */
export function valueName(key: string, value: string | null): string {
  if (value === null || value === "") return t(unknownName(key));
  if (key === "country") return countryName(value, currentLanguage());
  if (key === "language") return languageName(value, currentLanguage());
  if (key === "hostname" || (key === "source" && HAS_ENCODED_LABEL.test(value))) return legibleHost(value);
  if (key === "referrer") return value.replace(/^[^/]*/, legibleHost).replace(/\/.*$/s, legiblePath);
  if (HAS_PATHS.has(key)) return legiblePath(value);
  if (key === "channel_rule") return capitalise(channelRuleOf(value)?.when ?? value);
  if (key === "bot_purpose") return t(PURPOSE_LABELS[value as keyof typeof PURPOSE_LABELS] ?? value);
  if (key === "channel") return t(capitalise(value));
  if (NAMED[key]?.includes(value)) return t(value);
  return key === "device" ? capitalise(value) : value;
}

/** Dimensions whose values are codes or have translated names, which people search and sort by name. */
export const HAS_CODES: ReadonlySet<string> = new Set(["channel", "country", "device", "language", "screen"]);

/** Returns whether the name of a value contains the text, or its code is the text. */
export const isNamed = (key: string, value: string, text: string): boolean =>
  value.toLowerCase() === text.toLowerCase() || valueName(key, value).toLowerCase().includes(text.toLowerCase());

/** Returns the codes of the countries whose name contains the text or whose code it is. */
export const countriesNamed = (text: string): string[] => COUNTRIES.filter((code) => isNamed("country", code, text));

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** All current country codes that `Intl` has a name for. */
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) =>
    countryName(code) !== code &&
    new Intl.Locale(`und-${code}`).region === code &&
    !["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"].includes(code),
);
