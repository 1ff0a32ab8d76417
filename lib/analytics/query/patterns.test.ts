import fc from "fast-check";
import { expect, test } from "vitest";
import { compilePattern } from "@/lib/analytics/query/patterns";
import type { Refusal } from "@/lib/platform/errors";

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
  const piece = fc.constantFrom(..."a . \\d [a-z] ( ) (?: | * +? {9} {0,31} {99,} \\Q \\E".split(" "));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
      const pattern = pieces.join("").slice(0, 256);
      if (fault(pattern) === null) expect(compilePattern(pattern, PATH).programSize()).toBeLessThan(10_000);
    }),
    { numRuns: 2_000 },
  );
});
