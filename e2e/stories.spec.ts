import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { moveBack, postEvent, postPageview } from "./support/events";
import { expect, headline, test } from "./support/fixtures";
import type { Server } from "./support/server";

/** What owners come for, from their first page to the answer. */

/** Clicks, and counts the clicks. */
function clicksOf() {
  let count = 0;
  return {
    click: async (target: Locator) => {
      count++;
      await target.click();
    },
    count: () => count,
  };
}

/** A visitor comes by a campaign and buys for so much. */
async function buy(server: Server, site: { host: string }, campaign: string, amount: number, userAgent: string) {
  const url = `https://${site.host}/?utm_source=newsletter&utm_campaign=${campaign}`;
  await postEvent(server, site, { name: "pageview", url }, userAgent);
  await postEvent(server, site, { name: "purchase", url, revenue: { amount, currency: "EUR" } }, userAgent);
}

const AGENTS = ["131", "132", "133"].map(
  (version) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
) as [string, string, string];

const rowOf = (page: Page, campaign: string) => page.getByRole("row").filter({ hasText: campaign }).first();

test("an owner finds in at most five clicks which campaign brought revenue this week and has a link to it, which a colleague opens without an account", async ({
  siteOwner: { page, siteId, ...site },
  open,
  server,
}) => {
  // A campaign of earlier weeks sold more, and one of this week less.
  await buy(server, site, "autumn-sale", 900, AGENTS[0]);
  await moveBack(server, { siteId }, 9);
  await buy(server, site, "spring-mail", 120, AGENTS[1]);
  await buy(server, site, "small-banner", 30, AGENTS[2]);

  await page.goto("/sites");
  const { click, count } = clicksOf();
  await click(page.getByRole("main").getByRole("link", { name: site.host }));
  await click(page.getByRole("region", { name: "Campaigns" }).getByRole("link", { name: "Campaigns report" }));
  await expect(page.getByRole("heading", { name: "Campaigns and channels" })).toBeVisible();
  await expect(rowOf(page, "spring-mail")).toContainText("120");
  await expect(rowOf(page, "small-banner")).toContainText("30");
  await expect(page.getByText("autumn-sale")).toHaveCount(0);
  const revenueOf = (reader: Page) => rowOf(reader, "spring-mail").getByRole("cell").last().textContent();
  const revenue = await revenueOf(page);
  expect(revenue).toContain("120.00");

  await click(page.getByRole("button", { name: "Share this view" }));
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Last 7 days");
  await expectAccessible(page, "the dialog to share a view");
  await dialog.getByLabel("For").fill("Marketing");
  await click(dialog.getByRole("button", { name: "Create link" }));
  const url = await dialog.getByText(/\/s\/[\w-]{43}/).textContent();
  await click(dialog.getByRole("button", { name: /^Copy/ }));
  expect(count()).toBeLessThanOrEqual(5);

  const colleague = await open();
  await colleague.goto(`${url}`);
  await expect(colleague.getByRole("heading", { name: "Campaigns and channels" })).toBeVisible();
  await expect(rowOf(colleague, "spring-mail")).toBeVisible();
  expect(await revenueOf(colleague)).toBe(revenue);
  await expect(colleague.getByText("autumn-sale")).toHaveCount(0);
  // The link shows this week and this report only.
  const address = new URL(`${url}`);
  for (const path of ["?period=28d", "/reports/commerce", "/data/panels"]) {
    const response = await colleague.request.get(`${address.origin}${address.pathname}${path}`);
    expect(await response.text(), path).not.toContain("autumn-sale");
  }
});

test("a filter of a shared view stays, whatever the colleague asks for", async ({
  siteOwner: { page, siteId, ...site },
  open,
  server,
}) => {
  await buy(server, site, "spring-mail", 120, AGENTS[0]);
  await buy(server, site, "small-banner", 30, AGENTS[1]);
  const filters = encodeURIComponent(JSON.stringify({ utm_campaign: "spring-mail" }));
  await page.goto(`/sites/${siteId}?filters=${filters}&period=today`);
  await page.getByRole("button", { name: "Share this view" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("For").fill("Agency");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const url = await dialog.getByText(/\/s\/[\w-]{43}/).textContent();
  const colleague = await open();
  for (const query of ["", "?segment=", "?filters="]) {
    await colleague.goto(`${url}${query}`);
    await expect(headline(colleague, "Visitors", "1")).toBeVisible();
  }
  await colleague.goto(`${url}?segment=00000000-0000-4000-8000-000000000000`);
  await expect(colleague.getByText("shows only what its panels list")).toBeVisible();
});

test("an agency sees all of its sites with their totals, and first the one that broke, with a way to mend it", async ({
  owner,
  site,
  server,
}) => {
  const agency = await owner();
  const { page } = agency;
  const [bakery, garage, school] = [await site(agency), await site(agency), await site(agency)];
  // The school had events every day until three days ago.
  await server.query(
    `INSERT INTO facts.intake
     SELECT $1, (now() AT TIME ZONE 'UTC')::date - back, 'stored', '', 24 FROM generate_series(3, 16) AS back`,
    [school.siteId],
  );
  for (const path of ["/", "/bread"]) await postPageview(server, bakery, path);
  await postPageview(server, garage);

  await page.goto("/sites");
  const cards = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading") });
  await expect(cards).toHaveCount(3);
  await expect(cards.first()).toContainText(school.host);
  await expect(cards.first()).toContainText(/no events since/i);
  await expect(page.getByText("One site needs a look")).toBeVisible();
  const totals = page.getByRole("region", { name: "Totals" });
  await expect(totals).toContainText(/^2.*Visitors/);
  await expectAccessible(page, "sites of which one broke");
  await cards.first().getByRole("link", { name: "Check installation" }).first().click();
  await expect(page).toHaveURL(`/sites/${school.siteId}/install`);
});
