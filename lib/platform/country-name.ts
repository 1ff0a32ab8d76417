/** Names of countries. Server only, because the names of `Intl` differ between browsers. */

const names = new Map<string, Intl.DisplayNames>();

function namesIn(language: string): Intl.DisplayNames {
  const known = names.get(language) ?? new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  names.set(language, known);
  return known;
}

/**
 * Returns the name of a country by its two-letter code (ISO 3166-1); any other text as it is.
 *
 * @param language one of the interface; answers of the API are English
 */
export const countryName = (code: string, language = "en"): string =>
  /^[A-Z]{2}$/.test(code) ? (namesIn(language).of(code) ?? code) : code;
