import { expect, test } from "vitest";
import { paramsOf } from "@/components/reports/filters";
import { isSameSaved, patchOf, questionOf, questionPatch, viewOf } from "@/components/reports/saved-dashboard";
import { readView } from "@/components/reports/view";
import { expandDashboardUrl, savableView } from "./dashboards";

const NOTHING = { from: null, to: null, compare: null, compare_from: null, compare_to: null };
const GERMANY = {
  ...{ ...NOTHING, filters: { country: "DE" }, period: "7d", traffic: "all" },
  ...{ goal: "Bought", attribution: "first" },
};
const DAYS = { compare_from: "2026-01-01", compare_to: "2026-01-07" };
const saved = [
  {
    id: "d",
    name: "Germany",
    about: "",
    maker: null,
    changed: true,
    explores: false,
    patch: patchOf(viewOf({ ...GERMANY, panels: ["chart", "seo"] }), "d"),
  },
  {
    id: "own",
    name: "Germany in January",
    about: "",
    maker: null,
    changed: true,
    explores: false,
    patch: patchOf(viewOf({ ...GERMANY, ...DAYS, panels: [] }), "own"),
  },
];
/** The view after expanding a URL; null if the URL is already complete. */
function resolved(query: string) {
  const params = paramsOf(new URLSearchParams(query));
  const expanded = expandDashboardUrl("/sites/1", params, readView(params), saved);
  return expanded === null ? null : readView(paramsOf(new URL(expanded, "http://here").searchParams));
}

test("a URL that only names a dashboard is expanded to its whole view, once", () => {
  expect(resolved("dashboard=d")).toMatchObject({
    period: "7d",
    traffic: "all",
    compare: "none",
    panels: ["chart", "seo"],
    opened: "d",
    ...{ goal: "Bought", attribution: "first" },
    filters: [{ key: "country", operator: "is", values: ["DE"] }],
  });
  const savedParams = Object.entries(patchOf(viewOf({ ...GERMANY, panels: [] }), "d"));
  const expanded = new URLSearchParams(savedParams.flatMap(([key, value]) => (value ? [[key, value]] : [])));
  expect(expanded.get("opened")).toBe("d");
  expect(resolved(`${expanded}`)).toBeNull();
  expect(resolved("dashboard=gone")).toBeNull();
  expect(resolved("")).toBeNull();
});

test("other parameters of the URL override the dashboard's, and filters are combined, as in the API", () => {
  expect(resolved("dashboard=d&period=today&traffic=bot")).toMatchObject({ period: "today", traffic: "bot" });
  expect(resolved("dashboard=d&from=2026-01-01&to=2026-01-31")).toMatchObject({ period: "custom", from: "2026-01-01" });
  expect(resolved("dashboard=d&compare=year_over_year")).toMatchObject({
    compare: "year_over_year",
    filters: [{ values: ["DE"] }],
  });
  const other = { compare_from: "2026-02-01", compare_to: "2026-02-07" };
  const none = { compare_from: null, compare_to: null };
  expect(resolved("dashboard=own")).toMatchObject(DAYS);
  expect(resolved("dashboard=own&period=today")).toMatchObject(DAYS);
  expect(resolved("dashboard=own&compare=year_over_year")).toMatchObject({ ...none, compare: "year_over_year" });
  expect(resolved("dashboard=own&compare_from=2026-02-01&compare_to=2026-02-07")).toMatchObject(other);
  for (const also of ['filters={"device":"mobile"}', "filters[device]=mobile"]) {
    expect(resolved(`dashboard=d&${also}`)?.filters).toHaveLength(2);
  }
});

test("conflicting filters are combined with the dashboard's, or the dashboard is not marked as open", () => {
  for (const also of ['filters={"country":"FR"}', "filters[country]=FR"]) {
    const { filters, opened } = resolved(`dashboard=d&${also}`) ?? {};
    expect(opened).toBe("d");
    expect(filters).toEqual([
      { key: "country", operator: "matches", values: ["^DE$"] },
      { key: "country", operator: "is", values: ["FR"] },
    ]);
  }
  const pattern = 'filters={"country":{"is":"FR","matches":"F"}}';
  expect(resolved(`dashboard=d&${pattern}`)).toMatchObject({ opened: null, period: "7d", filters: [{}, {}] });
  expect(resolved("dashboard=d&filters=[")).toMatchObject({ opened: null, filters: null });
});

test("a view is saved with its segment as filters, or not at all if both filter the same dimension differently", () => {
  const filters = [{ key: "country", operator: "is", values: ["DE"] }];
  const segments = [{ id: "s", name: "Germans", maker: null, sentences: [], filters }];
  const of = (query: string) =>
    savableView({ view: readView(paramsOf(new URLSearchParams(query))), question: null }, segments, ["Bought"]);
  expect(of('segment=s&filters={"device":"mobile"}').stored?.filters).toEqual({ country: "DE", device: "mobile" });
  expect(of('segment=s&filters={"country":"FR"}').stored).toBeNull();
  expect(["Bought", "gone"].map((goal) => of(`goal=${goal}`).stored?.goal)).toEqual(["Bought", null]);
});

test("the address of a saved question leads to Explore with its whole question, whose search parameters read as the same", () => {
  const question = { metrics: "visitors,revenue", dimensions: "source,prop:plan", sort: "-revenue", chart: "line" };
  const view = viewOf({ ...GERMANY, panels: [] });
  const [one] = saved;
  const asked = { ...one, explores: true, id: "q", patch: { ...patchOf(view, "q"), ...questionPatch(question) } };
  const params = paramsOf(new URLSearchParams("dashboard=q"));
  const address = new URL(
    expandDashboardUrl("/sites/1", params, readView(params), [asked as never]) ?? "",
    "http://here",
  );
  const opened = paramsOf(address.searchParams);
  expect([address.pathname, questionOf(opened)]).toEqual(["/sites/1/reports/explore", question]);
  expect(isSameSaved({ view: readView(opened), question: questionOf(opened) }, { view, question })).toBe(true);
  expect(isSameSaved({ view, question: { ...question, sort: null } }, { view, question })).toBe(false);
  const { stored, words } = savableView({ view: { ...view, panels: ["chart"] }, question }, [], ["Bought"]);
  expect(stored).toMatchObject({ explore: question, panels: [] });
  expect(words.slice(0, 3)).toEqual(["Visitors", "Revenue", "by source, plan"]);
});
