import { expect, test } from "vitest";
import analyticsCampaigns from "@/lib/operations/analytics.campaigns";
import { PUBLIC_DASHBOARD, requireShown, type ShareLimits } from "@/lib/sites/share-limits";

const LINK: ShareLimits = { ...PUBLIC_DASHBOARD, dashboard: false, reports: ["campaigns"] };
const asking = (limits: ShareLimits, attribution: string) =>
  requireShown(limits, { op: analyticsCampaigns, input: { site_id: 1, attribution }, filters: [] });

test("a link to one period does not look back at earlier days by first touch", () => {
  const limited: ShareLimits = { ...LINK, period: { period: "7d" } };
  expect(() => asking(limited, "first")).toThrow(expect.objectContaining({ code: "invalid_input" }));
  expect(() => asking(limited, "last")).not.toThrow();
  expect(() => asking(LINK, "first")).not.toThrow();
});
