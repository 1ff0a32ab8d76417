import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { moveBack, postEvent } from "./support/events";
import { expect, type OwnedSite, test } from "./support/fixtures";
import type { Server } from "./support/server";

/** Conversions of a chosen goal and revenue in the rows of the dashboard. */

/** Ann came from Google, comes back by an ad two days later and buys; Bob comes by the ad and does not. */
async function sell(server: Server, shop: OwnedSite): Promise<void> {
  const home = `https://${shop.host}/`;
  const ad = `${home}?utm_source=ad&utm_term=shoes`;
  const send = (event: object) => postEvent(server, shop, { name: "pageview", ...event });
  await send({ url: home, user_id: "ann", referrer: "https://www.google.com/" });
  await moveBack(server, shop, 2);
  await send({ url: ad, user_id: "ann" });
  await send({ url: ad, user_id: "bob" });
  await send({ name: "purchase", url: ad, user_id: "ann", revenue: { amount: "40.00", currency: "EUR" } });
  await server.query(
    `INSERT INTO goal (site_id, name, kind, pattern, created_at, updated_at)
     VALUES ($1, 'Bought', 'event', 'purchase', now(), now())`,
    [shop.siteId],
  );
}

const cellsOf = (page: Page, list: string, value: string) =>
  page.getByRole("region", { name: list, exact: true }).getByRole("row").filter({ hasText: value }).getByRole("cell");

/** Revenue, conversions and their rate in a row: its last cells. */
const expectRow = async (page: Page, list: string, value: string, texts: string[]) => {
  const cells = cellsOf(page, list, value);
  for (const [index, text] of texts.entries()) await expect(cells.nth(1 + index)).toHaveText(text);
};

test("a goal that is chosen in the toolbar, and first touch, stand in Sources, in Details and in a tab that is opened", async ({
  siteOwner: shop,
  server,
}) => {
  const { page } = shop;
  await sell(server, shop);
  await page.goto(`/sites/${shop.siteId}`);
  await page.getByRole("button", { name: "Goal: Goal" }).click();
  await page.getByRole("menuitemradio", { name: "Bought" }).click();
  await expectRow(page, "Sources", "ad", ["40.00 EUR", "1", "50%"]);
  await expectRow(page, "Sources", "Google", ["0.00 EUR", "0", "0%"]);
  await page.getByRole("link", { name: "First touch" }).click();
  await expectRow(page, "Sources", "ad", ["0.00 EUR", "0", "0%"]);
  await expectRow(page, "Sources", "Google", ["40.00 EUR", "1", "100%"]);

  await page.getByRole("link", { name: "Details of Sources" }).click();
  const details = page.getByRole("region", { name: "Source, all values" });
  await details.getByRole("button", { name: "Revenue" }).click();
  await expect(details.getByRole("row").nth(1)).toContainText("Google");
  const outcomesOf = (value: string) => details.getByRole("row").filter({ hasText: value }).getByRole("cell");
  for (const [place, text] of ["1", "100%", "40.00 EUR"].entries())
    await expect(outcomesOf("Google").nth(5 + place)).toHaveText(text);
  await expect(outcomesOf("ad").last()).toHaveText("0.00 EUR");
  await expectAccessible(page, "details with conversions and revenue");
  await page.keyboard.press("Escape");

  await page.getByRole("tab", { name: "Term" }).click();
  await expectRow(page, "Campaigns", "shoes", ["0.00 EUR", "0", "0%"]);
  await page.getByRole("link", { name: "Last touch" }).click();
  await expectRow(page, "Campaigns", "shoes", ["40.00 EUR", "1", "50%"]);
});

test("a row of Goals shows the conversions of its goal in all lists, and its other link filters", async ({
  siteOwner: shop,
  server,
}) => {
  const { page } = shop;
  await sell(server, shop);
  await page.goto(`/sites/${shop.siteId}`);
  const goals = page.getByRole("region", { name: "Goals and events" });
  const bought = goals.getByRole("link", { name: "Bought", exact: true });
  await expect(goals.getByRole("row").filter({ hasText: "Bought" })).toContainText("40.00 EUR");
  await bought.click();
  await expect(page.getByRole("button", { name: "Goal: Bought" })).toBeVisible();
  await expectRow(page, "Sources", "ad", ["40.00 EUR", "1", "50%"]);
  await expect(page.getByRole("region", { name: "Filters" })).toHaveCount(0);
  await expectAccessible(page, "a dashboard with a goal");
  await goals.getByRole("link", { name: "Only visitors who reached Bought" }).click();
  await expect(page.getByRole("region", { name: "Filters" }).getByRole("listitem")).toHaveCount(1);
  await bought.click();
  await expect(page.getByRole("button", { name: "Goal: Goal" })).toBeVisible();
});
