import { expect, test } from "vitest";
import { queryPublicSite } from "@/lib/gateway/execute";
import analyticsOverview from "@/lib/operations/analytics.overview";
import sitesSettingsGet from "@/lib/operations/sites.settings.get";
import { db } from "@/lib/platform/db";
import { sharedSite } from "@/lib/sites/shared";
import { CHROME, makeSite, send } from "@/lib/testing/world";

const now = new Date("2025-03-12T12:00:00Z");
const share = (id: number) => db().site.update({ where: { id }, data: { public: true } });

test("a public site is found by each of its domains in any spelling; a private site is not found", async () => {
  const site = await makeSite();
  expect(await sharedSite(site.host)).toBeNull();
  await share(site.id);
  for (const typed of [site.host, site.host.toUpperCase(), `www.${site.host}`]) {
    expect((await sharedSite(typed))?.site_id, typed).toBe(site.id);
  }
  for (const typed of ["", "..", `${site.id}`, "127.0.0.1", "nobody.example", "\u0000"]) {
    expect(await sharedSite(typed), typed).toBeNull();
  }
});

test("anonymous callers can query only the analytics of public sites, and cannot tell whether other sites exist", async () => {
  const site = await makeSite();
  await send(site, { name: "pageview", url: `https://${site.host}/` }, { at: now, userAgent: CHROME });
  const input = { site_id: site.id, period: "today" };
  const query = queryPublicSite("198.51.100.1");
  const outcomeOf = (pending: Promise<unknown>) =>
    pending.then(
      () => "answered",
      (error) => error.code,
    );
  expect(await outcomeOf(query(analyticsOverview, { input, now }))).toBe("site_not_granted");
  await share(site.id);
  expect((await query(analyticsOverview, { input, now })).data.metrics.pageviews).toBe(1);
  expect(await outcomeOf(query(sitesSettingsGet, { input: { site_id: site.id }, now }))).toBe("insufficient_scope");
  expect(await outcomeOf(query(analyticsOverview, { input: { ...input, site_id: 2 ** 40 }, now }))).toBe(
    "site_not_granted",
  );
  expect(await outcomeOf(query(analyticsOverview, { input: { ...input, period: "never" }, now }))).toBe(
    "invalid_input",
  );
});
