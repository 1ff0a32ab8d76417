import fc from "fast-check";
import { expect, test } from "vitest";
import { currentLocale, localeOf, perLocale } from "@/lib/platform/locale";
import { requestLocales } from "@/lib/platform/request-locale";

const LATIN = "-u-ca-gregory-nu-latn";

test("the locale is the preferred language of the browser that Intl supports", () => {
  expect(localeOf("de-DE,de;q=0.9,en;q=0.8")).toBe(`de-DE${LATIN}`);
  expect(localeOf("en;q=0.5, fr-CH;q=0.7")).toBe(`fr-CH${LATIN}`);
  expect(localeOf("xx-YY, !!, pt-BR;q=0.3")).toBe(`pt-BR${LATIN}`);
  expect(localeOf("de;q=0, *")).toBe(`en-US${LATIN}`);
  expect(localeOf(undefined)).toBe(`en-US${LATIN}`);
});

test("digits are Latin and years Gregorian, whatever the locale or its extensions say", () => {
  const day = new Date("2026-11-20T00:00:00Z");
  for (const header of ["ar-EG", "fa-IR", "th-TH-u-nu-thai", "de-u-co-phonebk"]) {
    const locale = localeOf(header);
    expect(new Intl.NumberFormat(locale).format(1234)).toMatch(/[0-9]/);
    expect(new Intl.DateTimeFormat(locale, { year: "numeric", timeZone: "UTC" }).format(day)).toMatch(/2026/);
  }
});

test("any header gives a locale that Intl accepts", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (header) => {
      expect(() => new Intl.NumberFormat(localeOf(header))).not.toThrow();
    }),
  );
});

test("concurrent requests each keep their own locale", async () => {
  const thousand = perLocale((locale) => new Intl.NumberFormat(locale).format(1000));
  const answer = async () => {
    const before = currentLocale();
    await new Promise((resolve) => setImmediate(resolve));
    expect(currentLocale()).toBe(before);
    return thousand();
  };
  expect(await Promise.all(["de", "en", "fr-FR"].map((tag) => requestLocales.run(localeOf(tag), answer)))).toEqual([
    "1.000",
    "1,000",
    "1\u202f000",
  ]);
});
