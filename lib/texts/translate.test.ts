import { expect, test } from "vitest";
import { requestLocales } from "@/lib/platform/request-locale";
import { t } from "@/lib/texts/translate";

const SITES = "{count, plural, one {# site} other {# sites}}";

test("a plural has the number in the reader's locale, and the words in their language", () => {
  expect([0, 1, 2, 1204].map((count) => t(SITES, { count }))).toEqual(["0 sites", "1 site", "2 sites", "1,204 sites"]);
  expect(requestLocales.run("de-DE", () => t("{days, plural, one {# day} other {# days}}", { days: 1204 }))).toBe(
    "1.204 Tage",
  );
  // French has no catalogue: its readers see their numbers in English texts, with the plurals of English.
  expect(requestLocales.run("fr-FR", () => t(SITES, { count: 0 }))).toBe("0 sites");
  expect(requestLocales.run("fr-FR", () => t(SITES, { count: 1204 }))).toMatch(/^1.204 sites$/);
});

test("a text that no catalogue has stays as it is, also one named like a property of every object", () => {
  for (const text of ["constructor", "__proto__", "toString", "Something else"])
    expect(requestLocales.run("es-ES", () => t(text))).toBe(text);
});

test("a value with the syntax of a message or of markup is shown as it is", () => {
  const name = "{count, plural, other {#}} <b>x</b> '";
  expect(t("Remove {name}?", { name })).toBe(`Remove ${name}?`);
  expect(requestLocales.run("de-DE", () => t("Remove {name}?", { name }))).toContain(name);
});
