import { IntlMessageFormat } from "intl-messageformat";
import { expect, test } from "vitest";
import { interfaceFiles, interfaceTexts } from "@/lib/testing/interface-texts";
import { CATALOGUES } from "@/lib/texts/catalogues";

/** Articles and the reference of the API are English. */
const ENGLISH = /^(components\/docs|app\/\(public\)\/docs)\//;

const texts = interfaceFiles().map((file) => ({ file, ...interfaceTexts(file) }));
const translated = texts.flatMap((one) => one.translated);

test("pages have no text that is not translated", () => {
  const pages = texts.filter(({ file }) => !file.startsWith("lib/") && !ENGLISH.test(file));
  expect(pages.flatMap(({ untranslated }) => untranslated.map(({ at, text }) => `${at} ${text.trim()}`))).toEqual([]);
});

for (const [language, catalogue] of Object.entries(CATALOGUES)) {
  test(`every text has a translation in ${language}, and the catalogue has no others`, () => {
    const missing = translated.filter(({ text }) => !catalogue[text]).map(({ at, text }) => `${at} ${text}`);
    const known = new Set(translated.map(({ text }) => text));
    expect({ missing, unused: Object.keys(catalogue).filter((text) => !known.has(text)) }).toEqual({
      missing: [],
      unused: [],
    });
  });

  test(`translations into ${language} have the values and elements of the English text`, () => {
    const different = translated.flatMap(({ text, hasValues }) => {
      const translation = hasValues ? catalogue[text] : undefined;
      return translation && namesIn(translation).join() !== namesIn(text).join() ? [`${text} → ${translation}`] : [];
    });
    expect(different).toEqual([]);
  });
}

/** Returns the names of values and elements in an ICU message. */
function namesIn(message: string): string[] {
  const names = new Set<string>();
  (function visit(node: unknown): void {
    if (typeof node !== "object" || node === null) return;
    const { type, value } = node as { type?: number; value?: unknown };
    if (type !== undefined && type !== 0 && type !== 7 && typeof value === "string") names.add(value);
    for (const child of Object.values(node)) visit(child);
  })(new IntlMessageFormat(message, "en").getAst());
  return [...names].sort();
}

test("catalogues are sorted, so that two changes rarely touch the same line", () => {
  for (const catalogue of Object.values(CATALOGUES)) {
    expect(Object.keys(catalogue)).toEqual(Object.keys(catalogue).toSorted());
  }
});
