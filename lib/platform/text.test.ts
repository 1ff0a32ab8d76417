import fc from "fast-check";
import { expect, test } from "vitest";
import { clipPath, LONGEST_PATH } from "@/lib/platform/text";

const ofLength = (length: number, end = "") => `/${"a".repeat(length - 1 - end.length)}${end}`;

test("a path of up to 2,048 characters is unchanged, in any script", () => {
  for (const path of [ofLength(2048), `/${"é".repeat(2047)}`, `/a${"😀".repeat(1023)}`, `/a${"%C3%A9".repeat(341)}`]) {
    expect(path.length).toBe(2048);
    expect(clipPath(path)).toBe(path);
  }
});

test.each([
  ["a plain character", ofLength(2049), ofLength(2048)],
  ["a surrogate pair", ofLength(2049, "😀"), ofLength(2047)],
  ["a percent sign", ofLength(2050, "%41"), ofLength(2047)],
  ["half an escape", ofLength(2049, "%41"), ofLength(2046)],
  ["two bytes", ofLength(2050, "%C3%A9"), ofLength(2044)],
  ["between two bytes", ofLength(2051, "%C3%A9"), ofLength(2045)],
  ["three bytes", ofLength(2052, "%E2%82%AC"), ofLength(2043)],
  ["four bytes", ofLength(2051, "%F0%9F%98%80"), ofLength(2039)],
  ["behind a whole character", ofLength(2049, "%C3%A9a"), ofLength(2048, "%C3%A9")],
])("a longer path is cut to 2,048 characters, without splitting %s", (_, path, cut) => {
  expect(clipPath(path)).toBe(cut);
});

test("a cut path is as long as possible, well-formed, and decodable", () => {
  const character = fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 });
  const path = fc.tuple(fc.integer({ min: 2030, max: 2060 }), fc.array(character, { minLength: 1, maxLength: 9 }));
  fc.assert(
    fc.property(path, ([length, tail]) => {
      const { pathname } = new URL(`http://a.example/${"a".repeat(length)}${tail.join("").repeat(5)}`);
      const cut = clipPath(pathname);
      expect(pathname.startsWith(cut)).toBe(true);
      expect(cut.length).toBeGreaterThan(Math.min(pathname.length, LONGEST_PATH) - 12);
      expect(cut.length).toBeLessThanOrEqual(LONGEST_PATH);
      if (isDecodable(pathname)) expect(isDecodable(cut)).toBe(true);
    }),
  );
});

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
