import fc from "fast-check";
import { expect, test } from "vitest";
import { ownPath, pageToReturnTo } from "@/lib/auth/next-path";

const OWN = "https://stats.example.com";

test("sign-in returns to the path that requested it", () => {
  for (const path of ["/sites/7?period=7d", "/device", "/invite/abc-_", "/sites/7/reports/pages?page=2#row"])
    expect(ownPath(path)).toBe(path);
});

test("sign-in returns to the page with its query, and for a download to the page that offers it", () => {
  expect(
    [
      "/sites?search=shop&sort=name",
      "/agents/a1?before=7",
      "/account/export",
      "/sites/7/settings/data/export?format=csv",
      "/sites/7/reports/pages/download?table=pages&period=7d",
      "/sites/7?filters=%7B%22page%22%3A%22%2Fa%2Fexport%22%7D",
    ].map(pageToReturnTo),
  ).toEqual([
    "/sites?search=shop&sort=name",
    "/agents/a1?before=7",
    "/account",
    "/sites/7/settings/data?format=csv",
    "/sites/7/reports/pages?table=pages&period=7d",
    "/sites/7?filters=%7B%22page%22%3A%22%2Fa%2Fexport%22%7D",
  ]);
});

test.each([
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example",
  "\\evil.example",
  "https:evil.example",
  "//evil",
  "///evil",
  "//user@path.invalid/",
  "/\t/evil.example",
  "\t//evil.example",
  "/.//evil.example/x",
  "/..//evil.example",
  "/x/..//evil.example",
  "/%2e//evil.example",
  "/%2e%2E//evil.example",
  "/x/%2e./\\evil.example",
  "/./\\evil.example",
  "/%2F/evil.example",
  "/%5Cevil.example",
  "/.\n//evil.example",
  "javascript:alert(1)",
  "sites",
  "",
  undefined,
  ["/sites", "/x"],
])("%j is refused as a redirect path", (next) => {
  expect(ownPath(next)).toBe("/sites");
});

/** Random texts of characters that URL parsers treat specially. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom("/", "\\", ".", "..", "%2e", "%2E", "%2f", "%5c", "%252f", "\t", "\n", "\r", " ", "\u0000"),
      fc.constantFrom("@", ":", "?", "#", "evil.example", "http:", "https:", "path.invalid", "[", "\ud800", "％２ｆ"),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("any redirect path stays on this origin, resolved once or twice", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostile,
        hostile.map((text) => `/${text}`),
        fc.string(),
      ),
      (next) => {
        const path = ownPath(next);
        const once = new URL(path, `${OWN}/login?next=x`);
        expect(once.origin).toBe(OWN);
        expect(new URL(once.pathname + once.search + once.hash, OWN).origin).toBe(OWN);
        expect(new URL(decodeURI(once.pathname.replace(/%(?![0-9a-f]{2})/gi, "%25")), OWN).origin).toBe(OWN);
        expect(ownPath(path)).toBe(path);
      },
    ),
    { numRuns: 5_000 },
  );
});
