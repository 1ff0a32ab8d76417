import { expect, test } from "vitest";
import { inLanguage } from "@/lib/texts/in-language";
import { translatorOf } from "@/lib/texts/known-texts";

const inWords = translatorOf(["must be text", "must have at least {count} characters", "Role of {name}"]);
const inGerman = (english: string) => inLanguage("de", () => inWords(english));

test("a known English text is translated with its values, and any other stays as it is", () => {
  expect(inGerman("must be text")).toBe("muss Text sein");
  expect(inGerman("must have at least 12 characters")).toBe("muss mindestens 12 Zeichen haben");
  expect(inGerman("must be something that nobody has translated")).toBe("must be something that nobody has translated");
  expect(inWords("must have at least 12 characters")).toBe("must have at least 12 characters");
});

test("a value of a known text is shown as it is, whatever it looks like", () => {
  for (const name of [
    "must be text",
    "{count}",
    "<b>Ann</b>",
    "'{'",
    "$1 $& \\1",
    "two\nlines",
    "# {n, plural, other {x}}",
  ]) {
    expect(inGerman(`Role of ${name}`), name).toBe(`Rolle von ${name}`);
  }
});

test("a language that a stored value does not name leaves that of the request", () => {
  for (const language of ["xx", null, "", "constructor", "__proto__"]) {
    expect(inLanguage(language, () => inWords("must be text"))).toBe("must be text");
    expect(inLanguage("es", () => inLanguage(language, () => inWords("must be text")))).toBe("debe ser texto");
  }
});
