import { expect, test } from "vitest";
import type { SearchParams } from "@/components/reports/filters";
import { shareOf } from "@/components/reports/share-of";
import { readView } from "@/components/reports/view";

/** What a link to a view shows. */

const bounds = { since: "2026-01-01", today: "2026-11-20" };
const is = (key: string, ...values: string[]) => ({ key, operator: "is", values });
const SEGMENT = "00000000-0000-4000-8000-000000000001";
const segments = [{ id: SEGMENT, name: "Germany", filters: [is("country", "DE")], sentences: [], maker: null }];

const share = (query: SearchParams, report: string | null = null, role: "manager" | "viewer" = "manager") =>
  shareOf({ site: { site_id: 7, role }, view: readView(query), query, segments, report, ...bounds });

test("a link to a view is limited to its period, its report and all its filters", () => {
  const query = { period: "7d", traffic: "all", "filters[device]": "mobile" };
  expect(share(query, "campaigns")).toMatchObject({
    part: { site_id: 7, dashboard: false, panels: [], reports: ["campaigns"], period: "7d" },
    query: "?traffic=all",
    filters: [is("device", "mobile")],
  });
  expect(share({ from: "2026-11-01", to: "2026-11-10" })).toMatchObject({
    part: { dashboard: true, reports: [], from: "2026-11-01", to: "2026-11-10" },
  });
  // A link has one segment, so the filters of the view's are among those of the new one.
  const both = share({ segment: SEGMENT, "filters[device]": "mobile" });
  expect(both?.filters).toEqual([is("country", "DE"), is("device", "mobile")]);
  expect(share({ segment: SEGMENT })).toMatchObject({ part: { segment: SEGMENT }, filters: [] });
  expect(share({ panels: "metrics,pages,funnels,realtime" })?.part).toMatchObject({
    panels: ["metrics", "pages"],
    reports: ["funnels"],
  });
});

test("what of a view its link does not show is said before the link is made", () => {
  const said = (query: SearchParams, report: string | null = null) => share(query, report)?.hidden.join(" ");
  expect(said({})).toBe(
    "Conversions and goals are not shown. Lists of campaigns, events, languages, screens and hosts are not shown. Realtime, Explore and a single funnel cannot be shared.",
  );
  expect(said({ panels: "metrics,chart,pages,languages,funnels,realtime" })).toContain(
    "These panels are left out: Languages, Realtime.",
  );
  expect(said({ panels: "metrics,chart,pages" })).not.toContain("left out");
  expect(said({ panels: "seo,changes,realtime" })).toContain("Realtime");
  expect(said({}, "campaigns")).toBe("");
  expect(said({}, "seo")).toBe("Search queries and positions of Google and Bing are not shown.");
});

test("a link keeps a goal where its report lists what reaches it, and says where it does not", () => {
  const shared = (key: string) => {
    const query = { period: "all", goal: "Signup" };
    return shareOf({
      ...{ site: { site_id: 7, role: "manager" }, view: readView(query), query, segments },
      ...{ report: key, goal: "Signup", ...bounds },
    });
  };
  expect(shared("changes")?.query).toContain("goal=Signup");
  expect(shared("campaigns")?.query).not.toContain("goal");
  expect(shared("campaigns")?.sentences).toContain("Conversions of any goal, not only of “Signup”");
});

test("what no link can show, and what its reader may not share, has no link", () => {
  expect(share({}, "realtime")).toBeNull();
  expect(share({}, "explore")).toBeNull();
  expect(share({}, null, "viewer")).toBeNull();
  expect(share({ filters: "{" })).toBeNull();
  expect(share({ segment: SEGMENT, "filters[country]": "FR" })).toBeNull();
  expect(share({ segment: crypto.randomUUID(), "filters[country]": "FR" })).toBeNull();
  // A report that looks back at earlier days cannot be limited to a period.
  expect(share({ period: "7d" }, "changes")).toMatchObject({ query: "?period=7d" });
  expect(share({ period: "7d" }, "changes")?.part.period).toBeUndefined();
});
