/** Country codes for the names of countries in other services. */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOCALES = ["en", "de", "fr", "es"];
/** Names that differ from the Unicode CLDR in Node. */
const OTHERS: Readonly<Record<string, string>> = {
  turkey: "TR",
  czechrepublic: "CZ",
  macedonia: "MK",
  swaziland: "SZ",
};

/** Normalises a name: lower case, without spaces and punctuation. Marks stay: they are vowels in Hindi. */
export const bare = (name: string): string =>
  name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "");

const codes = new Map<string, ReadonlyMap<string, string>>();

/**
 * Returns the ISO 3166-1 code for a code or the name of a country; null if unknown.
 *
 * @param languages in which the name may be, as BCP 47 tags
 */
export function countryCode(name: string, languages: readonly string[] = LOCALES): string | null {
  for (const language of languages) {
    const known = codes.get(language) ?? readCodes(language);
    codes.set(language, known);
    const code = known.get(bare(name));
    if (code) return code;
  }
  return null;
}

function readCodes(language: string): Map<string, string> {
  const found = new Map(Object.entries(OTHERS));
  const names = (["short", "long"] as const).map(
    (style) => new Intl.DisplayNames(language, { type: "region", style, fallback: "none" }),
  );
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      // Resolves withdrawn codes to the current one, such as DD to DE.
      const code = new Intl.Locale(`und-${first}${second}`).region ?? "";
      if (code.length !== 2 || names[0]?.of(code) === undefined) continue;
      found.set(bare(code), code);
      for (const inLanguage of names) found.set(bare(inLanguage.of(code) ?? code), code);
    }
  }
  return found;
}
