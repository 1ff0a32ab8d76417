import { expect, test } from "vitest";
import { describeFilter } from "@/components/reports/filter-text";
import { COMMERCE_KINDS, patternOf } from "@/lib/contract/commerce";

const described = (key: string, operator: string, ...values: string[]) => describeFilter({ key, operator, values });

test("a filter that a row of a funnel made says the step in words, without a regular expression or notation", () => {
  expect(described("event", "matches", patternOf("product_viewed"))).toBe("Event is Product view");
  for (const kind of COMMERCE_KINDS) expect(described("event", "matches", patternOf(kind))).not.toContain("^");
  expect(described("event", "matches", "^Sign")).toBe("Event matches ^Sign");
  expect(described("goal:/th%C3%A9/**", "is", "yes")).toBe("Page /thé/** was reached");
  expect(described("goal:event:Signup", "is", "no")).toBe("Event Signup was not reached");
  expect(described("goal:Signup", "is", "yes")).toBe("Goal Signup was reached");
  expect(described("product", "is", "pro-1y", "")).toBe("Product is pro-1y or No product");
});
