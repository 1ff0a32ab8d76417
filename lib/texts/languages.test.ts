import fc from "fast-check";
import { expect, test } from "vitest";
import { localeOf } from "@/lib/platform/locale";
import { chosenLanguage, isLanguage, LANGUAGES, languageCookie, languageOf } from "@/lib/texts/languages";

test("a chosen language is read from its cookie beside others, and any other value counts as none", () => {
  expect(chosenLanguage("a=1; language=de; b=2")).toBe("de");
  expect(chosenLanguage("language=es")).toBe("es");
  for (const value of [
    "",
    "xx",
    "constructor",
    "__proto__",
    "DE",
    "de-CH",
    "de%0d%0aSet-Cookie:a=b",
    '"de"',
    "../de",
  ]) {
    expect(chosenLanguage(`language=${value}`), value).toBeUndefined();
  }
  for (const header of [undefined, "", "my_language=de", "a=language=de", "language"]) {
    expect(chosenLanguage(header), header).toBeUndefined();
  }
});

test("any cookie gives a language that has texts, or none", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (value) => {
      const chosen = chosenLanguage(`a=b; language=${value}`);
      expect(chosen === undefined || Object.hasOwn(LANGUAGES, chosen)).toBe(true);
      expect(() => new Intl.NumberFormat(localeOf(value, chosen))).not.toThrow();
    }),
  );
});

test("a chosen language wins over the browser's, whose region it takes where it has that language", () => {
  expect(languageOf(localeOf("en-GB,de-AT;q=0.5", "de"))).toBe("de");
  expect(localeOf("en-GB,de-AT;q=0.5", "de")).toContain("de-AT-");
  expect(localeOf("fr-FR", "es")).toMatch(/^es-u-/);
  expect(localeOf("de-DE", "en")).toMatch(/^en-US-/);
  expect(languageOf(localeOf("fr-FR,de;q=0.5"))).toBe("en");
});

test("the cookie of a language lasts a year, holds nothing else, and is not sent from other sites' forms", () => {
  expect(languageCookie("de", true)).toBe("language=de; Path=/; Max-Age=31536000; SameSite=Lax; Secure");
  expect(languageCookie("es", false)).not.toContain("Secure");
  expect(isLanguage("toString")).toBe(false);
});
