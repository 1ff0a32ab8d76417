import { expectAccessible } from "./support/accessibility";
import { moveBack, postEvent } from "./support/events";
import { expect, test } from "./support/fixtures";

/** The card "What changed" of a dashboard. */

test("the dashboard says what explains the change; a click filters by it, and the report shows all of it", async ({
  siteOwner,
  server,
}) => {
  const { page, siteId, host } = siteOwner;
  const send = (user_id: string, path: string, referrer: string) =>
    postEvent(server, { host }, { name: "pageview", url: `https://${host}${path}`, referrer, user_id });
  await send("ann", "/", "https://www.google.com/");
  for (const who of ["ben", "cid"]) await send(who, "/", "https://www.bing.com/");
  await moveBack(server, { siteId }, 7);
  for (const who of ["dan", "eve", "fay", "gus"]) await send(who, "/pricing", "https://www.google.com/");
  await send("hal", "/", "https://www.bing.com/");
  await expect.poll(async () => (await page.request.get(`/sites/${siteId}/data/changes?period=7d`)).status()).toBe(200);

  await page.goto(`/sites/${siteId}?period=7d`);
  const card = page.getByRole("region", { name: "What changed" });
  await expect(card.getByText("Visits rose from 3 to 5 (+67%).")).toBeVisible();
  const finding = card.getByRole("link", {
    name: "Visits from Google rose by 3 (+300%), which is more than the whole rise (150%).",
  });
  await expect(finding).toBeVisible();
  await expectAccessible(page, "the dashboard with what changed");

  await finding.click();
  await expect(page).toHaveURL(/filters=.*source.*Google/);
  await expect(card.getByText("Visits rose from 1 to 4 (+300%).")).toBeVisible();

  await card.getByRole("link", { name: "All changes" }).click();
  await expect(page.getByRole("heading", { name: "What changed", level: 1 })).toBeVisible();
  await page.getByRole("navigation", { name: "Metric" }).getByRole("link", { name: "Pageviews" }).click();
  await expect(page).toHaveURL(/metric=pageviews/);
  await expect(
    page.getByRole("region", { name: "By page" }).getByRole("row").filter({ hasText: "/pricing" }),
  ).toContainText("133.3%");

  await page.goto(`/sites/${siteId}?period=7d&compare=none`);
  await expect(page.getByRole("region", { name: "Devices" })).toBeVisible();
  await expect(card).toHaveCount(0);
});
