import { expect, test } from "vitest";
import { z } from "zod";
import { issuesOf } from "@/lib/contract/fields";
import { ENTRY_OPERATIONS } from "@/lib/operations/entry/index";
import { OPERATIONS } from "@/lib/operations/index";
import { PERSONAL_OPERATIONS } from "@/lib/operations/personal/index";
import { invalidInput } from "@/lib/platform/errors";

const INVALID = [undefined, null, true, 0, -1, 1.5, 1e15, "", "x".repeat(6000), "\u0000", [], [1], {}, { a: { b: 1 } }];
const CONSTRAINT = /^(must |is required and must |is required$|is not a known field)/;

const inputs: [string, z.ZodType][] = [...OPERATIONS, ...PERSONAL_OPERATIONS, ...ENTRY_OPERATIONS].map(
  ([id, { input }]) => [id, input],
);

test.each(inputs)("%s has a message starting with must for each invalid field", (_, input) => {
  const { properties = {} } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  for (const name of [...Object.keys(properties), "unknown_field"]) {
    for (const value of INVALID) {
      const read = input.safeParse({ [name]: value }, { reportInput: true });
      const issues = read.success ? [] : issuesOf(read.error);
      for (const { path, message } of issues)
        expect(message, `${path} = ${String(value).slice(0, 20)}`).toMatch(CONSTRAINT);
    }
  }
});

test("the message of a 422 is a sentence with the first field and its constraint", () => {
  const refusal = invalidInput([{ path: "page", message: "must be a whole number" }]);
  expect(refusal.message).toBe("page must be a whole number.");
  expect(refusal.details).toEqual({ issues: [{ path: "page", message: "must be a whole number" }] });
});
