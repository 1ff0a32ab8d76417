import { expect, test } from "vitest";
import { MESSAGES } from "@/components/actions/messages";
import { OPERATIONS } from "@/lib/operations/index";
import { PERSONAL_OPERATIONS } from "@/lib/operations/personal/index";

test("each message belongs to an existing operation", () => {
  expect(Object.keys(MESSAGES).filter((id) => !OPERATIONS.has(id) && !PERSONAL_OPERATIONS.has(id))).toEqual([]);
});
