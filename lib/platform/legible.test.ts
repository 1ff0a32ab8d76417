import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalPath } from "@/lib/platform/canonical";
import { legiblePath } from "@/lib/platform/legible";

test.each([
  ["/blog/VLDB%E8%AE%BA%E6%96%87%E6%8E%A8%E8%8D%90", "/blog/VLDB论文推荐"],
  ["/%D8%B3%D9%84%D8%A7%D9%85-%D8%AF%D9%86%DB%8C%D8%A7", "/سلام-دنیا"],
  ["/%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85", "/می\u200cخواهم"],
  ["/a%20b%20%20", "/a b%20%20"],
  ["/?q=a%20b%26c%2Bd%3D%3F", "/?q=a b%26c%2Bd%3D%3F"],
  ["/caf%E9", "/caf%E9"],
  ["/a%2Fb%3Fc%23d%25e", "/a%2Fb%3Fc%23d%25e"],
  ["/%26%3d%2A%3A", "/%26%3d%2A%3A"],
  ["/%00%0A%7F", "/%00%0A%7F"],
  ["/%E2%80%AEfdp.exe", "/%E2%80%AEfdp.exe"],
  ["/%E2%80%8B%EF%BB%BF%C2%A0", "/%E2%80%8B%EF%BB%BF%C2%A0"],
  ["/%F0%9F%91%8D", "/👍"],
  ["/%D8", "/%D8"],
  ["/100%25", "/100%25"],
])("people read the path %s as %s", (stored, shown) => {
  expect(legiblePath(stored)).toBe(shown);
});

test("whoever types a path as it is shown finds the stored one", () => {
  const path = fc.array(
    fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("%2F", "%26", "%5B", "%E2%80%AE", "%", "/", "?", "&", "=", "+", "%2B", "%20"),
    ),
  );
  fc.assert(
    fc.property(path, (parts) => {
      const stored = canonicalPath(`/${parts.join("")}`);
      expect(canonicalPath(legiblePath(stored))).toBe(stored);
    }),
    { numRuns: 2_000 },
  );
});
