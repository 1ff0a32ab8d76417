import { expect, test } from "vitest";
import { OPERATIONS } from "@/lib/operations/index";
import { parametersOf, typeOf } from "@/lib/publish/reference";

test("parameters have their type in words", () => {
  const list = OPERATIONS.get("sites.list");
  expect(list && parametersOf(list).map(({ name, type, required }) => [name, type, required])).toEqual([
    ["page", "integer, 1 to 100000", false],
    ["search", "text, at most 255 characters", false],
    ["tag", "text, at most 40 characters", false],
    ["site_ids", "list of integer, 1 or more, at most 100", false],
    ["per_page", "integer, 1 to 100", false],
  ]);
  expect(typeOf({ type: "array", maxItems: 100, items: { type: "string", maxLength: 64 } })).toBe(
    "list of text, at most 64 characters, at most 100",
  );
});
