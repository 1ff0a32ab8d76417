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

/** Normalises a name: lower case, without spaces and punctuation. */
export const bare = (name: string): string =>
  name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

let codes: ReadonlyMap<string, string> | null = null;

/** Returns the ISO 3166-1 code for a country name in English, German, French or Spanish, or a code; null if unknown. */
export function countryCode(name: string): string | null {
  codes ??= readCodes();
  return codes.get(bare(name)) ?? null;
}

function readCodes(): Map<string, string> {
  const found = new Map(Object.entries(OTHERS));
  const names = LOCALES.flatMap((locale) =>
    (["short", "long"] as const).map(
      (style) => new Intl.DisplayNames(locale, { type: "region", style, fallback: "none" }),
    ),
  );
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      // Resolves withdrawn codes to the current one, such as DD to DE.
      const code = new Intl.Locale(`und-${first}${second}`).region ?? "";
      if (code.length !== 2 || names[0]?.of(code) === undefined) continue;
      found.set(bare(code), code);
      for (const inLocale of names) found.set(bare(inLocale.of(code) ?? code), code);
    }
  }
  return found;
}
