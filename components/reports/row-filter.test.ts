import { expect, test } from "vitest";
import { filteredBy, filteredByEventPattern, filteredByStep, toBucketOf } from "@/components/reports/row-filter";

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
  const of = (current: object) => JSON.parse(filteredByEventPattern({ filters: current }, "^a$").filters ?? "null");
  const narrowed = { country: "DE", event: { matches: "^a$" } };
  expect(of({ country: "DE" })).toEqual(narrowed);
  expect(of({ country: "DE", event: { matches: "^b$" } })).toEqual(narrowed);
  expect(of(narrowed)).toEqual({ country: "DE" });
});

test("a step of a funnel narrows the view to who reached it, or to who went no further; a path too long for a filter does not", () => {
  const [page, event] = [
    { kind: "page", pattern: "/pricing/**" },
    { kind: "event", pattern: "Signup" },
  ] as const;
  const of = (...steps: Parameters<typeof filteredByStep> extends [unknown, ...infer Steps] ? Steps : never) => {
    const patch = filteredByStep({ filters: { country: "DE" } }, ...steps);
    return patch && JSON.parse(patch.filters ?? "null");
  };
  expect(of(page)).toEqual({ country: "DE", "goal:/pricing/**": "yes" });
  expect(of(page, event)).toEqual({ country: "DE", "goal:/pricing/**": "yes", "goal:event:Signup": "no" });
  expect(of({ kind: "page", pattern: `/${"a".repeat(255)}` }, event)).toBeNull();
});

test("a row of a series narrows the view to the days of its bucket, which end with the range", () => {
  const range = { from: "2025-03-04T00:00:00+01:00", to: "2025-03-16" };
  const daysOf = (labels: string[], days = range) => {
    const series = labels.map((label) => ({ label }));
    return series.map(toBucketOf(series, days)).map((patch) => patch && [patch.from, patch.to]);
  };
  expect(daysOf(["2025-03-03", "2025-03-10"])).toEqual([
    ["2025-03-04", "2025-03-09"],
    ["2025-03-10", "2025-03-16"],
  ]);
  const hours = ["2025-03-04T00:00", "2025-03-04T23:00", "2025-03-05T00:00"];
  const twoDays = { from: "2025-03-04", to: "2025-03-05" };
  expect(daysOf(hours, twoDays).map((days) => days?.join())).toEqual([
    "2025-03-04,2025-03-04",
    "2025-03-04,2025-03-04",
    "2025-03-05,2025-03-05",
  ]);
  expect(daysOf(["2025-03-04T00:00"], { from: "2025-03-04", to: "2025-03-04" })).toEqual([null]);
});
