/** Countries by the names that Google Analytics writes. */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOCALES = ["en", "de"];
/** Names that the Unicode CLDR, as Node has it, writes otherwise. */
const OTHERS: Readonly<Record<string, string>> = {
  turkey: "TR",
  czechrepublic: "CZ",
  macedonia: "MK",
  swaziland: "SZ",
};

/** A name without spaces, punctuation and capitals. */
export const bare = (name: string): string =>
  name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

let codes: ReadonlyMap<string, string> | null = null;

/** The ISO 3166-1 code of a country by its English or German name, or by the code itself; null for another text. */
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
      // Codes that are no longer used lead to the present one: DD to DE.
      const code = new Intl.Locale(`und-${first}${second}`).region ?? "";
      if (code.length !== 2 || names[0]?.of(code) === undefined) continue;
      found.set(bare(code), code);
      for (const inLocale of names) found.set(bare(inLocale.of(code) ?? code), code);
    }
  }
  return found;
}
