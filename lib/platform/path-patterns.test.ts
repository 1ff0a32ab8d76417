import fc from "fast-check";
import { expect, test } from "vitest";
import { compilePath, pathRegex, segmentsMatch } from "@/lib/platform/path-patterns";

const pathMatches = (pattern: string, path: string) => segmentsMatch(compilePath(pattern), path.split("/"));

test.each([
  ["/a", "/a", true],
  ["/a", "/a/", false],
  ["/a/*", "/a/b", true],
  ["/a/*", "/a/b/c", false],
  ["/a/*/c", "/a/b/c", true],
  ["/*.php", "/index.php", true],
  ["/*.php", "/x/index.php", false],
  ["/a/**", "/a", true],
  ["/a/**", "/a/b/c/", true],
  ["/a/**", "/ab", false],
  ["/**/edit", "/edit", true],
  ["/**/edit", "/a/b/edit", true],
  ["/**/edit", "/a/b/reedit", false],
  ["/**/a/*/c", "/a/b/d/a/x/c", true],
  ["/a**", "/abc/d", true],
  ["/**", "/", true],
  ["/A", "/a", false],
  ["/a.c", "/abc", false],
])("the pattern %s against %s is %s", (pattern, path, fits) => {
  expect(pathMatches(pattern, path)).toBe(fits);
});

test.each([
  ["/a", "/a?p=1", false],
  ["/a?p=1", "/a?p=1", true],
  ["/a?p=*", "/a?p=1", true],
  ["/a?/b/*", "/a?/b/12", true],
  ["/a*", "/a?p=1", true],
  ["/a/*", "/a/b?p=1", true],
  ["/a/*", "/a?p=1", false],
  ["/a/**", "/a?p=1&q=/x/y", true],
  ["/a/**", "/ab?p=1", false],
  ["/**", "/?p=1", true],
])("to reports, the pattern %s against %s with a query is %s", (pattern, path, fits) => {
  expect(new RegExp(pathRegex(pattern)).test(path)).toBe(fits);
});

test("matching a long path that nearly matches takes linear time", () => {
  const path = `/${"a".repeat(1_999)}`;
  for (const pattern of [`/*${"a".repeat(250)}b`, `/**/*${"a".repeat(240)}b/**`, `/${"*a".repeat(120)}b`])
    expect(pathMatches(pattern, path)).toBe(false);
  expect(pathMatches("/*a*a*a", path)).toBe(true);
});

test("segment matching (exclusions) and the regular expression (reports) agree on every pattern and path", () => {
  const segment = fc.oneof(
    fc.constantFrom("a", "b", "*", "aa", "a*", "*b", "a*b*a"),
    fc.stringMatching(/^[ab.*$]{0,3}$/).map((text) => text.replaceAll("**", "*")),
    fc.constant("**"),
  );
  const pattern = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => `/${segments.join("/")}`);
  const path = fc.string({ unit: fc.constantFrom("a", "b", "/", ".", "$"), maxLength: 12 }).map((tail) => `/${tail}`);
  fc.assert(
    fc.property(pattern, path, (glob, text) => {
      expect(pathMatches(glob, text)).toBe(new RegExp(pathRegex(glob)).test(text));
    }),
    { numRuns: 5_000 },
  );
});

test("adjacent ** become one loop of the regular expression", () => {
  expect(pathRegex("/**/**/**/a/**/**")).toBe(pathRegex("/**/a/**"));
});
