import { expect, test } from "vitest";
import { z } from "zod";
import { issuesOf } from "@/lib/contract/fields";
import { OPERATIONS } from "@/lib/operations/index";
import { PERSONAL_OPERATIONS } from "@/lib/operations/personal/index";
import { invalidInput } from "@/lib/platform/errors";

const WRONG = [undefined, null, true, 0, -1, 1.5, 1e15, "", "x".repeat(6000), "\u0000", [], [1], {}, { a: { b: 1 } }];
const WHAT_MUST_HOLD = /^(must |is required and must |is required$|is not a known field)/;

const inputs: [string, z.ZodType][] = [...OPERATIONS, ...PERSONAL_OPERATIONS].map(([id, { input }]) => [id, input]);

test.each(inputs)("%s says of each wrong field what must hold", (_, input) => {
  const { properties = {} } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  for (const name of [...Object.keys(properties), "unheard_of"]) {
    for (const value of WRONG) {
      const read = input.safeParse({ [name]: value }, { reportInput: true });
      const issues = read.success ? [] : issuesOf(read.error);
      for (const { path, message } of issues)
        expect(message, `${path} = ${String(value).slice(0, 20)}`).toMatch(WHAT_MUST_HOLD);
    }
  }
});

test("the message of a 422 is a sentence of the first field and what must hold", () => {
  const refusal = invalidInput([{ path: "page", message: "must be a whole number" }]);
  expect(refusal.message).toBe("page must be a whole number.");
  expect(refusal.details).toEqual({ issues: [{ path: "page", message: "must be a whole number" }] });
});
