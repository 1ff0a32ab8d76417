import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canonicalEncoding,
  canonicalPath,
  canonicalPathPart,
  canonicalTypedHost,
  canonicalTypedPath,
  withoutTrailingSlashes,
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
  ["/A?b#c", "/A?b"],
  ["/?", "/"],
  ["/?&&=", "/"],
  ["/?p=12&lang=de&p=1", "/?lang=de&p=12&p=1"],
  ["/?p=&q", "/?p&q"],
  ["/index.php?/archives/4015", "/index.php?/archives/4015"],
  ["/?r=a%2fb&q=a+b%26c%3D?d", "/?q=a%20b%26c%3D%3Fd&r=a/b"],
  ["/a%3fb?c=%d8%b3", "/a%3Fb?c=%D8%B3"],
  ["//x/", "//x/"],
  ["/e\u0301", "/%C3%A9"],
  ["/e%cc%81/%E1%84%80%E1%85%A1", "/%C3%A9/%EA%B0%80"],
  ["/%2A%CC%80", "/%2A%CC%80"],
  ["/%CA%CC%81", "/%CA%CC%81"],
  ["/?q=e%CC%81&e%CC%81=1", "/?%C3%A9=1&q=%C3%A9"],
  ["/blog/**", "/blog/**"],
  ["/%2A", "/%2A"],
])("the path %s is stored as %s", (sent, stored) => {
  expect(canonicalPath(sent)).toBe(stored);
});

const path = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "/",
        "%",
        "%2",
        "%d8%b3",
        "%41",
        "..",
        "س",
        "👍",
        "e",
        "\u0301",
        "%cc%80",
        "%ca",
        "%E2%84%AA",
        "\u037e",
        "%ed%a0%80",
        "*",
        "?",
        "&",
        "=",
        "+",
        "%3f",
        "%26",
      ),
      fc.string(),
    ),
  )
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

test("a path with more marks on a letter than any text has is not composed, because that takes too long", () => {
  const few = `e${"\u0316\u0301".repeat(15)}`;
  expect(canonicalPath(`/${few}`)).toBe(encodeURI(`/${few.normalize("NFC")}`));
  const many = encodeURI(`/e${"\u0301\u0316".repeat(10_000)}`);
  expect(canonicalPath(many)).toBe(many);
});

test("a part of a path, cut between any two characters of its text, is contained in the stored path", () => {
  const text = "/сайт/a b/%d8%b3/100%?a=ж б&b=1/2";
  const stored = canonicalPath(text);
  const characters = [..."/сайт/a b/"];
  for (let start = 0; start < characters.length; start++)
    for (let end = start + 1; end <= characters.length; end++)
      expect(stored).toContain(canonicalPathPart(characters.slice(start, end).join("")));
  for (const part of ["?a=ж", "/100%?a=ж+б&b", "ж б&b=1/", "?"]) expect(stored).toContain(canonicalPathPart(part));
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

test("of a typed address only the parameters that make a page are left, of a typed path all", () => {
  expect(canonicalTypedPath("https://shop.example/?utm_source=a&p=12#top", ["p"])).toBe("/?p=12");
  expect(canonicalTypedPath("https://shop.example/i.php?/archives/4015&x", ["/"])).toBe("/i.php?/archives/4015");
  expect(canonicalTypedPath("/?utm_source=a&p=12", ["p"])).toBe("/?p=12&utm_source=a");
});

test.each([
  ["/a/", "/a"],
  ["/a///", "/a"],
  ["/", "/"],
  ["//", "//"],
  ["/a/?p=1/", "/a?p=1/"],
  ["/?p=12", "/?p=12"],
  ["/a/*/", "/a/*"],
  ["/a/**", "/a/**"],
])("%s without the slashes at its end is %s", (path, without) => {
  expect(withoutTrailingSlashes(path)).toBe(without);
  expect(withoutTrailingSlashes(without)).toBe(without);
});
