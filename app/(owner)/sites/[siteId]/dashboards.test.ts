import { expect, test } from "vitest";
import { paramsOf } from "@/components/reports/filters";
import { patchOf, viewOf } from "@/components/reports/kept";
import { readView } from "@/components/reports/view";
import { savingOf, wholeAddress } from "./dashboards";

const NOTHING = { from: null, to: null, compare: null, compare_from: null, compare_to: null };
const GERMANY = { ...NOTHING, filters: { country: "DE" }, period: "7d", traffic: "all" };
const DAYS = { compare_from: "2026-01-01", compare_to: "2026-01-07" };
const saved = [
  {
    ...{ id: "d", name: "Germany", about: "", maker: null, changed: true },
    patch: patchOf(viewOf({ ...GERMANY, panels: ["chart", "seo"] }), "d"),
  },
  {
    ...{ id: "own", name: "Germany in January", about: "", maker: null, changed: true },
    patch: patchOf(viewOf({ ...GERMANY, ...DAYS, panels: [] }), "own"),
  },
];
/** What is shown after an address has been completed; null when it says all already. */
function shown(query: string) {
  const asked = paramsOf(new URLSearchParams(query));
  const whole = wholeAddress("/sites/1", asked, readView(asked), saved);
  return whole === null ? null : readView(paramsOf(new URL(whole, "http://here").searchParams));
}

test("an address that only names a dashboard is completed to all that it shows, once", () => {
  expect(shown("dashboard=d")).toMatchObject({
    ...{ period: "7d", traffic: "all", compare: "none", panels: ["chart", "seo"], opened: "d" },
    filters: [{ key: "country", operator: "is", values: ["DE"] }],
  });
  const kept = Object.entries(patchOf(viewOf({ ...GERMANY, panels: [] }), "d"));
  const whole = new URLSearchParams(kept.flatMap(([key, value]) => (value ? [[key, value]] : [])));
  expect(whole.get("opened")).toBe("d");
  expect(shown(`${whole}`)).toBeNull();
  expect(shown("dashboard=gone")).toBeNull();
  expect(shown("")).toBeNull();
});

test("what an address says besides wins over the dashboard's, and its filters join them, as for the operations", () => {
  expect(shown("dashboard=d&period=today&traffic=bot")).toMatchObject({ period: "today", traffic: "bot" });
  expect(shown("dashboard=d&from=2026-01-01&to=2026-01-31")).toMatchObject({ period: "custom", from: "2026-01-01" });
  expect(shown("dashboard=d&compare=year_over_year")).toMatchObject({
    compare: "year_over_year",
    filters: [{ values: ["DE"] }],
  });
  const other = { compare_from: "2026-02-01", compare_to: "2026-02-07" };
  const none = { compare_from: null, compare_to: null };
  expect(shown("dashboard=own")).toMatchObject(DAYS);
  expect(shown("dashboard=own&period=today")).toMatchObject(DAYS);
  expect(shown("dashboard=own&compare=year_over_year")).toMatchObject({ ...none, compare: "year_over_year" });
  expect(shown("dashboard=own&compare_from=2026-02-01&compare_to=2026-02-07")).toMatchObject(other);
  for (const also of ['filters={"device":"mobile"}', "filters[device]=mobile"]) {
    expect(shown(`dashboard=d&${also}`)?.filters).toHaveLength(2);
  }
});

test("filters that clash with the dashboard's both hold, or it is not said to be open", () => {
  for (const also of ['filters={"country":"FR"}', "filters[country]=FR"]) {
    const { filters, opened } = shown(`dashboard=d&${also}`) ?? {};
    expect(opened).toBe("d");
    expect(filters).toEqual([
      { key: "country", operator: "matches", values: ["^DE$"] },
      { key: "country", operator: "is", values: ["FR"] },
    ]);
  }
  const pattern = 'filters={"country":{"is":"FR","matches":"F"}}';
  expect(shown(`dashboard=d&${pattern}`)).toMatchObject({ opened: null, period: "7d", filters: [{}, {}] });
  expect(shown("dashboard=d&filters=[")).toMatchObject({ opened: null, filters: null });
});

test("a view is saved with its segment as filters, or not at all where both ask for something else of one dimension", () => {
  const filters = [{ key: "country", operator: "is", values: ["DE"] }];
  const segments = [{ ...{ id: "s", name: "Germans", maker: null, sentences: [] }, filters }];
  const of = (query: string) => savingOf(readView(paramsOf(new URLSearchParams(query))), segments);
  expect(of('segment=s&filters={"device":"mobile"}').stored?.filters).toEqual({ country: "DE", device: "mobile" });
  expect(of('segment=s&filters={"country":"FR"}').stored).toBeNull();
});
