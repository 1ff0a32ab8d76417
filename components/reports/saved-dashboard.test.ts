import fc from "fast-check";
import { expect, test } from "vitest";
import {
  blocksOf,
  inOrder,
  movedBy,
  PANEL_NAMES,
  readPanels,
  writePanels,
} from "@/components/reports/dashboard-panels";
import { type Filter, paramsOf, sentOf, tidy } from "@/components/reports/filters";
import {
  combineFilters,
  isSameView,
  joinFilters,
  patchOf,
  storedOf,
  viewOf,
} from "@/components/reports/saved-dashboard";
import { readView, reportInput, type View } from "@/components/reports/view";
import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { COMPARISONS } from "@/lib/contract/fields";
import { PERIODS, TRAFFIC } from "@/lib/contract/vocabulary";
import { DASHBOARD_PANELS, type DashboardPanel, dashboardInput } from "@/lib/sites/saved/dashboards";
import { call, refused } from "@/lib/testing/calls";
import { makeSite, send } from "@/lib/testing/world";

const keysOf = <T extends object>(table: T) => fc.constantFrom(...(Object.keys(table) as (keyof T)[]));
const someFilters: fc.Arbitrary<Filter[]> = fc
  .array(
    fc.record({
      key: keysOf(DIMENSIONS),
      operator: fc.constantFrom("is", "is_not", "contains"),
      values: fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 5 },
  )
  .map(tidy);
const someRange = fc.oneof(
  keysOf(PERIODS)
    .filter((period) => period !== "custom")
    .map((period) => ({ period, from: null, to: null })),
  fc.constantFrom("2026-11-22", null).map((to) => ({ period: "custom" as const, from: "2026-11-01", to })),
);
/** What is compared with: nothing, something by its name, or days of the reader's own. */
const someComparison = fc.oneof(
  keysOf(COMPARISONS).map((compare) => ({ compare, compare_from: null, compare_to: null })),
  fc.constantFrom("2025-12-24", "2026-10-01").map((compare_from) => ({
    compare: "previous_period" as const,
    compare_from,
    compare_to: "2026-10-15",
  })),
);
const somePanels: fc.Arbitrary<DashboardPanel[]> = fc.shuffledSubarray([...DASHBOARD_PANELS]);
const someView: fc.Arbitrary<View> = fc
  .record({
    range: someRange,
    comparison: someComparison,
    traffic: keysOf(TRAFFIC),
    filters: someFilters,
    panels: somePanels,
    goal: fc.constantFrom(null, "Bought", "A goal, & more"),
    attribution: fc.constantFrom(null, "first" as const),
  })
  .map(({ range, comparison, ...rest }) => {
    const others = { interval: null, segment: null, opened: null };
    return { ...range, ...comparison, ...rest, ...others };
  });

/** Returns the view that a page reads from a link with this patch. */
function opened(patch: ReturnType<typeof patchOf>): View {
  const query = new URLSearchParams(
    Object.entries(patch).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
  return readView(paramsOf(new URL(`http://here/?${query}`).searchParams));
}

test("a view is unchanged after saving, storing and opening it by URL", () => {
  fc.assert(
    fc.property(someView, (view) => {
      const stored = JSON.parse(JSON.stringify(storedOf(view, view.filters ?? [])));
      expect(dashboardInput.safeParse({ site_id: 1, name: "x", ...stored }).error).toBeUndefined();
      const again = opened(patchOf(viewOf(stored), "7"));
      expect(again).toEqual({ ...view, opened: "7" });
      expect(isSameView(again, view)).toBe(true);
    }),
  );
});

test("any change makes a view different, except the order of its filters", () => {
  fc.assert(
    fc.property(someView, someView, (one, other) => {
      const plain = ({ filters: _, ...rest }: View) => JSON.stringify(rest);
      fc.pre(plain(one) !== plain(other));
      expect(isSameView(one, other)).toBe(false);
      expect(isSameView(one, { ...one, filters: [...(one.filters ?? [])].reverse() })).toBe(true);
    }),
  );
});

test("a report of a saved dashboard has the same numbers and comparison as its link", async () => {
  const site = await makeSite();
  const at = (day: string) => ({ at: `${day}T10:00:00Z` });
  await send(site, "/a", at("2025-03-11"));
  await send(site, "/b", { ...at("2025-03-11"), address: "203.0.113.8" });
  await send(site, "/a", at("2025-03-12"));
  const view = { ...VIEW, filters: { page: "/a" }, period: "yesterday", traffic: "all", panels: ["chart"] };
  const days = { compare_from: "2025-03-10", compare_to: "2025-03-11" };
  for (const [name, stored] of Object.entries({ plain: view, compared: { ...view, ...days } })) {
    const input = { site_id: site.id, name, ...stored };
    const { id } = await call(site.ownerId, "sites.dashboards.save", input);
    const byId = await call(site.ownerId, "analytics.overview", { site_id: site.id, dashboard: id });
    const shown = await call(
      site.ownerId,
      "analytics.overview",
      reportInput(site.id, opened(patchOf(viewOf(stored), id))),
    );
    expect(byId.metrics.visitors).toBe(1);
    const compared = name === "compared" ? { from: days.compare_from, to: days.compare_to } : null;
    expect(byId.meta.compare && { from: byId.meta.compare.from, to: byId.meta.compare.to }).toEqual(compared);
    expect({ ...shown, meta: null }).toEqual({ ...byId, meta: null });
    for (const key of ["from", "to", "traffic", "compare"]) expect(shown.meta[key], key).toEqual(byId.meta[key]);
  }
});

const NOTHING = { from: null, to: null, compare: null, compare_from: null, compare_to: null };
const VIEW = { ...NOTHING, period: "today", traffic: null, panels: [], goal: null, attribution: null };

test("a saved dashboard keeps its goal under a new name and its attribution, and opens without a goal that is deleted", async () => {
  const [site, other] = await Promise.all([makeSite(), makeSite()]);
  const order = { name: "purchase", url: `https://${site.host}/`, revenue: { amount: "5.00", currency: "EUR" } };
  await send(site, order, { at: "2025-03-12T10:00:00Z" });
  const reached = { reached_by: { kind: "event", pattern: "purchase" } };
  const saveGoal = (input: object) =>
    call(site.ownerId, "sites.goals.save", { site_id: site.id, ...reached, ...input });
  const { id: goal } = await saveGoal({ name: "Bought" });
  await call(other.ownerId, "sites.goals.save", { site_id: other.id, ...reached, name: "Sold" });
  const saved = { site_id: site.id, name: "Sales", ...VIEW, filters: {}, goal: "Bought", attribution: "first" };
  const foreign = await refused(call(site.ownerId, "sites.dashboards.save", { ...saved, goal: "Sold" }));
  expect(foreign?.details?.issues).toMatchObject([
    { path: "goal", message: expect.stringMatching(/^must be the name/) },
  ]);
  const { id } = await call(site.ownerId, "sites.dashboards.save", saved);
  const open = async () => {
    const { dashboards } = await call(site.ownerId, "sites.dashboards.list", { site_id: site.id });
    const view = opened(patchOf(viewOf(dashboards[0]), id));
    const { metrics, meta } = await call(site.ownerId, "analytics.overview", { site_id: site.id, dashboard: id });
    const chart = await call(site.ownerId, "analytics.chart", { site_id: site.id, dashboard: id });
    expect([chart.metrics.conversions, chart.meta.attribution]).toEqual([metrics.conversions, meta.attribution]);
    return [view.goal, view.attribution, metrics.conversions, metrics.revenue, meta.attribution];
  };
  expect(await open()).toEqual(["Bought", "first", 1, 5, "first"]);
  await saveGoal({ id: goal, name: "Paid" });
  expect(await open()).toEqual(["Paid", "first", 1, 5, "first"]);
  await call(site.ownerId, "sites.goals.delete", { site_id: site.id, id: goal });
  expect(await open()).toEqual([null, "first", undefined, 5, "first"]);
});

test("combined filters that conflict with a saved dashboard's select the same visits as the operation does", async () => {
  const site = await makeSite();
  const at = "2025-03-12T10:00:00Z";
  for (const [index, path] of ["/a.b", "/a.c", "/axb", "/c"].entries())
    await send(site, path, { at, address: `203.0.113.${index + 1}` });
  const conflicts = [
    [{ is: ["/a.b", "/c"] }, { is: ["/a.b", "/axb"] }, 1],
    [{ contains: [".", "nowhere"] }, { contains: "b" }, 1],
    [{ starts_with: "/a." }, { starts_with: "/a" }, 2],
    [{ is: "/a.b" }, { is: "/axb" }, 0],
  ] as const;
  for (const [saved, added, visitors] of conflicts) {
    const view = viewOf({ ...VIEW, filters: { page: saved } });
    const input = { site_id: site.id, name: JSON.stringify([saved, added]), ...storedOf(view, view.filters ?? []) };
    const { id: dashboard } = await call(site.ownerId, "sites.dashboards.save", input);
    const range = { site_id: site.id, period: "today" };
    const both = await call(site.ownerId, "analytics.overview", { ...range, dashboard, filters: { page: added } });
    const [own, others] = [saved, added].map((page) => readView({ filters: JSON.stringify({ page }) }).filters ?? []);
    const filters = sentOf(combineFilters(own ?? [], others ?? []) ?? []);
    const combined = await call(site.ownerId, "analytics.overview", { ...range, filters });
    expect([both.metrics.visitors, combined.metrics.visitors], JSON.stringify(saved)).toEqual([visitors, visitors]);
  }
});

test("filters of a segment and a view are joined unless they conflict", () => {
  const is = (key: string, ...values: string[]) => ({ key, operator: "is", values });
  const not = (...values: string[]) => ({ key: "country", operator: "is_not", values });
  expect(joinFilters([is("country", "DE")], [is("device", "mobile"), not("FR")])).toHaveLength(3);
  expect(joinFilters([not("DE")], [not("FR")])).toEqual([not("DE", "FR")]);
  expect(joinFilters([is("country", "DE")], [is("country", "DE")])).toEqual([is("country", "DE")]);
  expect(joinFilters([is("country", "DE")], [is("country", "FR")])).toBeNull();
});

test("readPanels inverts writePanels and ignores unknown names; every panel has a name", () => {
  expect(new Set(Object.keys(PANEL_NAMES))).toEqual(new Set(DASHBOARD_PANELS));
  fc.assert(
    fc.property(somePanels, (panels) => {
      expect(readPanels(writePanels(panels))).toEqual(panels);
    }),
  );
  expect(readPanels("chart,secrets,chart,,toString,pages")).toEqual(["chart", "pages"]);
});

test("blocks contain all panels in order and group only panels that can share a row", () => {
  fc.assert(
    fc.property(somePanels, (panels) => {
      expect(blocksOf(panels).flatMap((block) => block.panels as DashboardPanel[])).toEqual(panels);
    }),
  );
  expect(blocksOf(["metrics", "chart", "pages", "event_names", "seo", "vitals", "chart", "metrics"])).toEqual([
    { kind: "summary", panels: ["metrics", "chart"] },
    { kind: "lists", panels: ["pages", "event_names"] },
    { kind: "report", panels: ["seo"] },
    { kind: "report", panels: ["vitals"] },
    { kind: "summary", panels: ["chart"] },
    { kind: "summary", panels: ["metrics"] },
  ]);
});

test("a panel moves one position at a time and not beyond the ends", () => {
  expect(movedBy(["a", "b", "c"], "b", 1)).toEqual(["a", "c", "b"]);
  expect(movedBy(["a", "b", "c"], "b", -1)).toEqual(["b", "a", "c"]);
  expect(movedBy(["a", "b"], "a", -1)).toEqual(["a", "b"]);
  expect(movedBy(["a", "b"], "b", 1)).toEqual(["a", "b"]);
  fc.assert(
    fc.property(somePanels, (chosen) => {
      expect(inOrder(chosen).slice(0, chosen.length)).toEqual(chosen);
      expect(new Set(inOrder(chosen))).toEqual(new Set(DASHBOARD_PANELS));
    }),
  );
});
