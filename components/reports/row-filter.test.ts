import { expect, test } from "vitest";
import { filteredBy, filteredByPattern } from "@/components/reports/row-filter";

const filters = (current: object, values: Record<string, string | null>) =>
  JSON.parse(filteredBy({ filters: current }, values).filters ?? "null");

test("a row narrows the view to its values and keeps the other filters", () => {
  const current = { country: ["DE", "FR"], page: { contains: "/a" } };
  expect(filters(current, { country: "DE" })).toEqual({ page: { contains: "/a" }, country: "DE" });
  expect(filters({}, { utm_campaign: "spring", utm_source: null })).toEqual({ utm_campaign: "spring", utm_source: "" });
});

test("a row that the view is narrowed to leads back", () => {
  expect(filters({ country: "DE", page: "/a" }, { country: "DE" })).toEqual({ page: "/a" });
  expect(filters({ source: "x" }, { source: "x" })).toBeNull();
});

test("a row of several spellings narrows the view to a pattern, and leads back from it", () => {
  const of = (current: object) => JSON.parse(filteredByPattern({ filters: current }, "event", "^a$").filters ?? "null");
  const narrowed = { country: "DE", event: { matches: "^a$" } };
  expect(of({ country: "DE" })).toEqual(narrowed);
  expect(of({ country: "DE", event: { matches: "^b$" } })).toEqual(narrowed);
  expect(of(narrowed)).toEqual({ country: "DE" });
});
