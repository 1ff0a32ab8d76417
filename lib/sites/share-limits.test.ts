import { expect, test } from "vitest";
import analyticsAi from "@/lib/operations/analytics.ai";
import analyticsCampaigns from "@/lib/operations/analytics.campaigns";
import analyticsChanges from "@/lib/operations/analytics.changes";
import analyticsSeo from "@/lib/operations/analytics.seo";
import analyticsSiteSearch from "@/lib/operations/analytics.site_search";
import { PUBLIC_DASHBOARD, requireShown, type SharedCall, type ShareLimits } from "@/lib/sites/share-limits";

const LINK: ShareLimits = { ...PUBLIC_DASHBOARD, dashboard: false, reports: ["campaigns"] };
const asking = (limits: ShareLimits, attribution: string) =>
  requireShown(limits, { op: analyticsCampaigns, input: { site_id: 1, attribution }, filters: [] });

test("a link to one period does not look back at earlier days by first touch", () => {
  const limited: ShareLimits = { ...LINK, period: { period: "7d" } };
  expect(() => asking(limited, "first")).toThrow(expect.objectContaining({ code: "invalid_input" }));
  expect(() => asking(limited, "last")).not.toThrow();
  expect(() => asking(LINK, "first")).not.toThrow();
});

test("a goal tells a reader of a link nothing that its reports do not show", () => {
  const ask = (op: SharedCall["op"], reports: ShareLimits["reports"]) => () =>
    requireShown({ ...LINK, reports }, { op, input: { site_id: 1, goal: "Secret plan" }, filters: [] });
  const refused = expect.objectContaining({ code: "invalid_input", message: expect.stringMatching(/^goal /) });
  expect(ask(analyticsCampaigns, ["campaigns"])).toThrow(refused);
  expect(ask(analyticsSeo, ["seo", "events"])).toThrow(refused);
  expect(ask(analyticsAi, ["ai", "events"])).toThrow(refused);
  expect(ask(analyticsSiteSearch, ["site_search", "events", "campaigns"])).toThrow(refused);
  expect(ask(analyticsCampaigns, ["campaigns", "events"])).toThrow(refused);
  // What changed has its conversions by event.
  expect(ask(analyticsChanges, ["changes"])).not.toThrow();
});
