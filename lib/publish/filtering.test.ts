import { expect, test } from "vitest";
import { readFilters } from "@/lib/analytics/query/conditions";
import { decodeQuery } from "@/lib/api/decode";
import analyticsOverview from "@/lib/operations/analytics.overview";
import { FILTER_EXAMPLES } from "@/lib/publish/filtering";

test("each example of filters is valid and means the same as JSON and with brackets", () => {
  for (const { filters, brackets } of FILTER_EXAMPLES) {
    const read = decodeQuery(analyticsOverview, new URLSearchParams(brackets));
    const conditions = readFilters(filters);
    expect(conditions.length).toBeGreaterThan(1);
    expect(readFilters(read.filters as Record<string, unknown>)).toEqual(conditions);
  }
});
