import { expect, test } from "vitest";
import { MESSAGES } from "@/components/actions/messages";
import { ENTRY_OPERATIONS } from "@/lib/operations/entry/index";
import { OPERATIONS } from "@/lib/operations/index";
import { PERSONAL_OPERATIONS } from "@/lib/operations/personal/index";

test("each message belongs to an existing operation", () => {
  expect(
    Object.keys(MESSAGES).filter(
      (id) => ![OPERATIONS, PERSONAL_OPERATIONS, ENTRY_OPERATIONS].some((all) => all.has(id)),
    ),
  ).toEqual([]);
});
