import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canonicalEncoding,
  canonicalPath,
  canonicalPathPart,
  canonicalTypedHost,
  canonicalTypedPath,
} from "@/lib/platform/canonical";

test.each([
  ["/سلام-دنیا", "/%D8%B3%D9%84%D8%A7%D9%85-%D8%AF%D9%86%DB%8C%D8%A7"],
  ["/%d8%b3", "/%D8%B3"],
  ["/%7Euser", "/~user"],
  ["/%61dmin/x", "/admin/x"],
  ["/a/%2e%2e/b/./c", "/b/c"],
  ["/a%2fb", "/a%2Fb"],
  ["/100%", "/100%25"],
  ["/%zz", "/%25zz"],
  ["/a b", "/a%20b"],
  ["/a|b[1]^", "/a%7Cb%5B1%5D%5E"],
  ["/caf%E9", "/caf%E9"],
  ["/A?b#c", "/A"],
  ["//x/", "//x/"],
  ["/blog/**", "/blog/**"],
  ["/%2A", "/%2A"],
])("the path %s is stored as %s", (sent, stored) => {
  expect(canonicalPath(sent)).toBe(stored);
});

const path = fc
  .array(fc.oneof(fc.constantFrom("/", "%", "%2", "%d8%b3", "%41", "..", "س", "👍", "*", "?"), fc.string()))
  .map((parts) => `/${parts.join("")}`);

test("normalising a path twice is normalising it once, and changes nothing that decoding shows", () => {
  fc.assert(
    fc.property(path, (sent) => {
      const once = canonicalPath(sent);
      expect(canonicalPath(once)).toBe(once);
      expect(once).toMatch(/^[!-~]*$/);
      expect(decoded(canonicalEncoding(once))).toBe(decoded(once));
    }),
    { numRuns: 2_000 },
  );
});

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

test("a part of a path, cut between any two characters of its text, is contained in the stored path", () => {
  const text = "/сайт/a b/%d8%b3/100%";
  const stored = canonicalPath(text);
  const characters = [..."/сайт/a b/"];
  for (let start = 0; start < characters.length; start++)
    for (let end = start + 1; end <= characters.length; end++)
      expect(stored).toContain(canonicalPathPart(characters.slice(start, end).join("")));
  for (const cut of ["%d", "%", "%D8%", "%d8%b"]) expect(stored).toContain(canonicalPathPart(cut));
});

test.each([
  ["Bücher.example", "xn--bcher-kva.example"],
  ["https://WWW.Example.com./", "example.com"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["no host", "no host"],
])("the typed host %s is looked for as %s", (typed, stored) => {
  expect(canonicalTypedHost(typed)).toBe(stored);
});

test("a typed path may be a whole address, and what is no path stays as it is", () => {
  expect(canonicalTypedPath(" https://shop.example/سلام?x=1 ")).toBe("/%D8%B3%D9%84%D8%A7%D9%85");
  expect(canonicalTypedPath("سلام")).toBe("سلام");
});
