import fc from "fast-check";
import { expect, test } from "vitest";
import { blocksOf, inOrder, moved, PANEL_NAMES, readPanels, writePanels } from "@/components/reports/dashboard-panels";
import { type Filter, paramsOf, sentOf, tidy } from "@/components/reports/filters";
import { isSameView, joined, narrowedBy, patchOf, storedOf, viewOf } from "@/components/reports/kept";
import { questionOf, readView, type View } from "@/components/reports/view";
import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { COMPARISONS } from "@/lib/contract/fields";
import { PERIODS, TRAFFIC } from "@/lib/contract/vocabulary";
import { DASHBOARD_PANELS, type DashboardPanel, dashboardInput } from "@/lib/sites/saved/dashboards";
import { call } from "@/lib/testing/calls";
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
    ...{ compare: "previous_period" as const, compare_from, compare_to: "2026-10-15" },
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
  })
  .map(({ range, comparison, ...rest }) => {
    const others = { interval: null, segment: null, opened: null };
    return { ...range, ...comparison, ...rest, ...others };
  });

/** What a page reads of the address that a link with this patch leads to. */
function opened(patch: ReturnType<typeof patchOf>): View {
  const query = new URLSearchParams(
    Object.entries(patch).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
  return readView(paramsOf(new URL(`http://here/?${query}`).searchParams));
}

test("a view that is saved, stored and opened by its address is the same view", () => {
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

test("whatever is changed in a view makes it another one, and the order of filters does not", () => {
  fc.assert(
    fc.property(someView, someView, (one, other) => {
      const plain = ({ filters: _, ...rest }: View) => JSON.stringify(rest);
      fc.pre(plain(one) !== plain(other));
      expect(isSameView(one, other)).toBe(false);
      expect(isSameView(one, { ...one, filters: [...(one.filters ?? [])].reverse() })).toBe(true);
    }),
  );
});

test("a saved dashboard and its link give the same numbers, compared with the same days", async () => {
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
    const asked = await call(site.ownerId, "analytics.overview", { site_id: site.id, dashboard: id });
    const shown = await call(
      site.ownerId,
      "analytics.overview",
      questionOf(site.id, opened(patchOf(viewOf(stored), id))),
    );
    expect(asked.metrics.visitors).toBe(1);
    const compared = name === "compared" ? { from: days.compare_from, to: days.compare_to } : null;
    expect(asked.meta.compare && { from: asked.meta.compare.from, to: asked.meta.compare.to }).toEqual(compared);
    expect({ ...shown, meta: null }).toEqual({ ...asked, meta: null });
    for (const key of ["from", "to", "traffic", "compare"]) expect(shown.meta[key], key).toEqual(asked.meta[key]);
  }
});

const NOTHING = { from: null, to: null, compare: null, compare_from: null, compare_to: null };
const VIEW = { ...NOTHING, period: "today", traffic: null, panels: [] };

test("filters that clash with a saved dashboard's let through what the operation that is asked for both lets through", async () => {
  const site = await makeSite();
  const at = "2025-03-12T10:00:00Z";
  for (const [place, path] of ["/a.b", "/a.c", "/axb", "/c"].entries())
    await send(site, path, { at, address: `203.0.113.${place + 1}` });
  const clashes = [
    [{ is: ["/a.b", "/c"] }, { is: ["/a.b", "/axb"] }, 1],
    [{ contains: [".", "nowhere"] }, { contains: "b" }, 1],
    [{ starts_with: "/a." }, { starts_with: "/a" }, 2],
    [{ is: "/a.b" }, { is: "/axb" }, 0],
  ] as const;
  for (const [kept, asked, visitors] of clashes) {
    const view = viewOf({ ...VIEW, filters: { page: kept } });
    const input = { site_id: site.id, name: JSON.stringify([kept, asked]), ...storedOf(view, view.filters ?? []) };
    const { id: dashboard } = await call(site.ownerId, "sites.dashboards.save", input);
    const question = { site_id: site.id, period: "today" };
    const both = await call(site.ownerId, "analytics.overview", { ...question, dashboard, filters: { page: asked } });
    const [own, others] = [kept, asked].map((page) => readView({ filters: JSON.stringify({ page }) }).filters ?? []);
    const filters = sentOf(narrowedBy(own ?? [], others ?? []) ?? []);
    const told = await call(site.ownerId, "analytics.overview", { ...question, filters });
    expect([both.metrics.visitors, told.metrics.visitors], JSON.stringify(kept)).toEqual([visitors, visitors]);
  }
});

test("filters of a segment join those of the view where together they say what both say", () => {
  const is = (key: string, ...values: string[]) => ({ key, operator: "is", values });
  const not = (...values: string[]) => ({ key: "country", operator: "is_not", values });
  expect(joined([is("country", "DE")], [is("device", "mobile"), not("FR")])).toHaveLength(3);
  expect(joined([not("DE")], [not("FR")])).toEqual([not("DE", "FR")]);
  expect(joined([is("country", "DE")], [is("country", "DE")])).toEqual([is("country", "DE")]);
  expect(joined([is("country", "DE")], [is("country", "FR")])).toBeNull();
});

test("panels are read as they were written, every one has a name, and what is none is left out", () => {
  expect(new Set(Object.keys(PANEL_NAMES))).toEqual(new Set(DASHBOARD_PANELS));
  fc.assert(
    fc.property(somePanels, (panels) => {
      expect(readPanels(writePanels(panels))).toEqual(panels);
    }),
  );
  expect(readPanels("chart,secrets,chart,,toString,pages")).toEqual(["chart", "pages"]);
});

test("blocks hold all panels in their order, and only what can stand together", () => {
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

test("a panel moves one place and back, and not beyond the ends", () => {
  expect(moved(["a", "b", "c"], "b", 1)).toEqual(["a", "c", "b"]);
  expect(moved(["a", "b", "c"], "b", -1)).toEqual(["b", "a", "c"]);
  expect(moved(["a", "b"], "a", -1)).toEqual(["a", "b"]);
  expect(moved(["a", "b"], "b", 1)).toEqual(["a", "b"]);
  fc.assert(
    fc.property(somePanels, (chosen) => {
      expect(inOrder(chosen).slice(0, chosen.length)).toEqual(chosen);
      expect(new Set(inOrder(chosen))).toEqual(new Set(DASHBOARD_PANELS));
    }),
  );
});
