import fc from "fast-check";
import { expect, test } from "vitest";
import { compilePattern, matcherOf } from "@/lib/analytics/patterns";
import type { Refusal } from "@/lib/contract/errors";

const PATH = "filters.page.matches";
/** What is wrong with a pattern; null where it is taken. */
function fault(pattern: string): string | null {
  try {
    compilePattern(pattern, PATH);
    return null;
  } catch (error) {
    return (error as Refusal).message;
  }
}

test("a pattern whose repeats would make it too large is refused before it is compiled", () => {
  const words = "a".repeat(230);
  const large = ["(x{0,255}){0,60}", "((x{0,30}){0,30}){0,30}", `(${words}){1000}`, `(\\Q)\\E${words}){1000}`];
  for (const pattern of large) expect(fault(pattern), pattern).toMatch(/^filters\.page\.matches repeats too much;/);
});

test("what RE2 does not know is refused with its reason", () => {
  expect(fault("(")).toBe(
    `${PATH} is not an RE2 regular expression (missing closing )); see github.com/google/re2/wiki/Syntax.`,
  );
  for (const pattern of ["(?=a)b", "(a)\\1", "[z-a]", "a**", "x{2,1}"]) {
    expect(fault(pattern), pattern).toContain("is not an RE2 regular expression");
  }
});

test.each([
  ["(?i)blog", "/BLOG/a", true],
  ["^/blog/\\d{4}-\\d{2}$", "/blog/2025-03", true],
  ["^/blog/\\d{4}-\\d{2}$", "/blog/2025-3", false],
  ["^(/a|/b)$", "/b", true],
  ["\\.html?$", "/x.htm", true],
  ["^$", "", true],
  ["\\pL+é", "/café", true],
  ["((a+)+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false],
  ["a{0,999}b", "ab", true],
])("%s on %s is %s", (pattern, value, matches) => {
  expect(compilePattern(pattern, PATH).test(value)).toBe(matches);
});

test("no pattern of 256 characters that is taken compiles to a large program", () => {
  const piece = fc.constantFrom(
    "a",
    ".",
    "\\d",
    "[a-z]",
    "(",
    ")",
    "(?:",
    "|",
    "*",
    "+?",
    "{9}",
    "{0,31}",
    "{99,}",
    "\\Q",
    "\\E",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
      const pattern = pieces.join("").slice(0, 256);
      if (fault(pattern) === null) expect(compilePattern(pattern, PATH).programSize()).toBeLessThan(10_000);
    }),
    { numRuns: 2_000 },
  );
});

test("matching lets other work of the thread go on, and ends when its caller leaves", async () => {
  const values = Array.from({ length: 150_000 }, (_, index) => `/blog/${index}/${"x".repeat(200)}`);
  const match = matcherOf(compilePattern("(.{0,30}y.{0,30}z){0,9}q", PATH), PATH, 60_000);
  let done = false;
  let others = 0;
  const work = () => {
    others++;
    if (!done) setImmediate(work);
  };
  setImmediate(work);
  expect((await match(values)).some(Boolean)).toBe(false);
  done = true;
  expect(others).toBeGreaterThan(3);
  const leaving = new AbortController();
  const left = match(values, leaving.signal);
  leaving.abort();
  await expect(left).rejects.toBe(leaving.signal.reason);
});

test("a pattern that matches for too long is refused by name, its time added up over all values", async () => {
  const values = Array.from({ length: 10_000 }, (_, index) => `/${index}/${"ab".repeat(50)}`);
  const match = matcherOf(compilePattern("(a|b)*z", PATH), PATH, 20);
  const matchAll = async () => {
    for (let call = 0; call < 1000; call++) await match(values);
  };
  await expect(matchAll()).rejects.toMatchObject({
    code: "invalid_input",
    details: { issues: [{ path: PATH, message: expect.stringMatching(/^takes longer than 0\.02 seconds/) }] },
  });
});
