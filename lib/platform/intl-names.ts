/**
 * Names of countries and languages in a language of the interface; answers of the API are English. For what the server renders:
 * the names of `Intl` differ between browsers, so a browser may use them only after hydration.
 */

const known = new Map<string, Intl.DisplayNames>();

function namesIn(language: string, type: "region" | "language"): Intl.DisplayNames {
  const key = `${type} ${language}`;
  const names =
    known.get(key) ?? new Intl.DisplayNames(language, { type, languageDisplay: "standard", fallback: "code" });
  known.set(key, names);
  return names;
}

/** Returns the name of a country by its two-letter code (ISO 3166-1); any other text as it is. */
export const countryName = (code: string, language = "en"): string =>
  /^[A-Z]{2}$/.test(code) ? (namesIn(language, "region").of(code) ?? code) : code;

/** Returns the name of a language by its tag (BCP 47), such as "English (United Kingdom)"; any other text as it is. */
export const languageName = (tag: string, language = "en"): string =>
  TAG.test(tag) ? (namesIn(language, "language").of(tag) ?? tag) : tag;

/** Tags as they are stored: a language, and a region. */
const TAG = /^[a-z]{2,3}(?:-(?:[A-Z]{2}|\d{3}))?$/;
