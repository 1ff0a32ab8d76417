/** English names of countries. Server only, because the names of `Intl` differ between browsers. */

const names = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** Returns the name of a country by its two-letter code (ISO 3166-1); any other text as it is. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code);
