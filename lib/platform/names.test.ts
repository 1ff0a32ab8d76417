import { expect, test } from "vitest";
import { canonicalName, canonicalNamePart } from "@/lib/platform/names";

test.each([
  "Signup ",
  " Signup",
  "\u00a0Signup\u3000",
  "Sign\u200bup",
  "\ufeffSignup",
  "Sign\u00adup",
  "Sign\u200dup\u200c",
  "Signup\ufe0f",
  "\u202eSignup\u202c",
  "Sign\u2060\u200dup",
  "\tSignup\r\n",
  "Sign\u{e0041}up",
  "S\u3164ignup",
])("%j is the name Signup", (typed) => {
  expect(canonicalName(typed)).toBe("Signup");
});

test("accents are composed, and spaces between words are one space", () => {
  expect(canonicalName("Cafe\u0301")).toBe("Caf\u00e9");
  expect(canonicalName("Buy\u00a0 now\tor\nlater")).toBe("Buy now or later");
});

test("capitals, emoji and the joiners of other scripts stay", () => {
  for (const name of [
    "signup",
    "SIGNUP",
    "👩\u200d💻 Joined",
    "❤\ufe0f",
    "می\u200cخواهم",
    "1\ufe0f\u20e3",
    "क्\u200dष",
  ]) {
    expect(canonicalName(name)).toBe(name);
  }
});

test("a part of a name keeps the spaces at its ends, and text of invisible characters is empty", () => {
  expect(canonicalNamePart("Buy ")).toBe("Buy ");
  expect(canonicalName(" \u200b\u200d\ufeff ")).toBe("");
});

test("a canonical name is its own canonical form", () => {
  for (const name of ["\u200d\u200b\u200dX", "a\u0301\u200b ", "A\u030a\u200d!", "e\u200b\u0301"]) {
    expect(canonicalName(canonicalName(name))).toBe(canonicalName(name));
  }
});
