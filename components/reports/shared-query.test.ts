import { expect, test } from "vitest";
import { queryForOtherSite, sharedQuery } from "@/components/reports/shared-query";

const VIEW = new URLSearchParams({
  period: "7d",
  compare: "year_over_year",
  segment: "0b9e7c1e-0000-4000-8000-000000000000",
  filters: JSON.stringify({ country: "DE", page: "/a", "prop:plan": "pro", "goal:Signup": "yes" }),
  vital: "inp",
});

test("another report of the site keeps range, comparison, filters and segment, and nothing of the one before", () => {
  const kept = new URLSearchParams(sharedQuery(VIEW));
  expect([...kept.keys()]).toEqual(["period", "compare", "segment", "filters"]);
  expect(kept.get("filters")).toBe(VIEW.get("filters"));
});

test("another site keeps range, comparison and the filters that can mean the same there", () => {
  const kept = new URLSearchParams(queryForOtherSite(VIEW));
  expect(Object.fromEntries(kept)).toEqual({ period: "7d", compare: "year_over_year", filters: '{"country":"DE"}' });
  expect(queryForOtherSite(new URLSearchParams("filters[country]=DE&filters[page]=/a"))).toBe(
    `?filters=${encodeURIComponent('{"country":"DE"}')}`,
  );
  expect(queryForOtherSite(new URLSearchParams("filters=%7B&segment=x"))).toBe("");
});
