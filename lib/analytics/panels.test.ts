import { expect, test } from "vitest";
import { TooManyGroups } from "@/lib/analytics/packed/tally";
import { overviewOf } from "@/lib/analytics/panels";
import { ask } from "@/lib/analytics/question";
import { sealSite } from "@/lib/analytics/rollups";
import { sealedOrFacts } from "@/lib/analytics/sources";
import { Refusal } from "@/lib/contract/errors";
import { db } from "@/lib/db";
import { siteFor } from "@/lib/sites/access";
import { makeSite, send } from "@/lib/testing/world";

const NOW = new Date("2025-03-17T11:20:00Z");

/** The scope of a filtered question about packed days, each with the same six pages. */
async function filteredScope() {
  const site = await makeSite();
  for (const day of [3, 4, 17])
    for (const [visitor, page] of ["/", "/a", "/b", "/c", "/d", "/e"].entries())
      await send(site, page, {
        at: `2025-03-${`${day}`.padStart(2, "0")}T10:00:00Z`,
        address: `198.51.100.${visitor % 4}`,
      });
  await sealSite(site.id, "UTC", NOW);
  const access = await siteFor(db(), { kind: "owner", personId: site.ownerId }, site.id, "viewer");
  const input = { site_id: site.id, period: "28d" as const, filters: { page: { starts_with: "/" } } };
  const { scope } = await ask(input, access, NOW);
  expect(scope.sealed?.packed).toBeTruthy();
  return scope;
}

test("an overview with more pages than packed days tell apart is counted from the facts, with the same answer", async () => {
  const scope = await filteredScope();
  const usual = await overviewOf(scope, 3);
  expect(usual.panels.pages.map(({ visitors }) => visitors)).toEqual([3, 3, 3]);
  expect(await overviewOf(scope, 3, 2)).toEqual(usual);
  const pages = [{ by: ["page" as const], parts: ["visits" as const] }];
  expect((await sealedOrFacts(scope, pages)).sealed[0]).toHaveLength(1);
  expect(await sealedOrFacts(scope, pages, 2)).toEqual({ sealed: [[]], scope: { ...scope, sealed: null } });
});

test("too many values are a refusal that names the way out, wherever nothing else can count them", () => {
  const refusal = new TooManyGroups();
  expect(refusal).toBeInstanceOf(Refusal);
  expect([refusal.status, refusal.retryAfter]).toEqual([503, 10]);
  expect(refusal.message).toContain("ask for a shorter range, fewer dimensions or a narrower filter");
});
