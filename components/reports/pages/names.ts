const countries = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** A country by its name, or its code where that is none. */
export const countryName = (code: string | null): string | null =>
  code !== null && /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
