import { expect, test } from "vitest";
import { ownPath } from "@/lib/auth/next-path";

test("after signing in one comes back to a path of ours", () => {
  expect(ownPath("/sites/7?period=7d")).toBe("/sites/7?period=7d");
});

test.each([
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example",
  "\\evil.example",
  "https:evil.example",
  "https:evil",
  "//evil",
  "\\evil",
  "/\t/evil.example",
  "javascript:alert(1)",
  "",
  undefined,
  ["/sites", "/x"],
])("%j is not a place to go to", (next) => {
  expect(ownPath(next)).toBe("/sites");
});
