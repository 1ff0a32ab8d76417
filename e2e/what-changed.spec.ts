import { expectAccessible } from "./support/accessibility";
import { postEvent } from "./support/events";
import { expect, test } from "./support/fixtures";

/** The card "What changed" of a dashboard. */

test("the dashboard says what explains the change; a click filters by it, and the report shows all of it", async ({
  siteOwner,
  server,
}) => {
  const { page, siteId, host } = siteOwner;
  const send = (user_id: string, path: string, referrer: string) =>
    postEvent(server, { host }, { name: "pageview", url: `https://${host}${path}`, referrer, user_id });
  for (const who of ["ann", "ben", "cid"]) await send(who, "/pricing", "https://www.google.com/");
  await send("dan", "/", "https://www.bing.com/");
  await expect.poll(async () => (await page.request.get(`/sites/${siteId}/data/changes?period=7d`)).status()).toBe(200);

  await page.goto(`/sites/${siteId}?period=7d`);
  const card = page.getByRole("region", { name: "What changed" });
  await expect(card.getByText("Visits rose from 0 to 4.")).toBeVisible();
  const finding = card.getByRole("link", { name: "Visits from Google rose from none to 3, which is 75% of the rise." });
  await expect(finding).toBeVisible();
  await expectAccessible(page, "the dashboard with what changed");

  await finding.click();
  await expect(page).toHaveURL(/filters=\{"source":"Google"\}/);
  await expect(card.getByText("Visits rose from 0 to 3.")).toBeVisible();
  await expect(card.getByRole("link", { name: /^Visits from Google/ })).toHaveAttribute("aria-current", "true");

  await card.getByRole("link", { name: "All changes" }).click();
  await expect(page.getByRole("heading", { name: "What changed", level: 1 })).toBeVisible();
  await page.getByRole("navigation", { name: "Metric" }).getByRole("link", { name: "Pageviews" }).click();
  await expect(page).toHaveURL(/metric=pageviews/);
  await expect(
    page.getByRole("region", { name: "By page" }).getByRole("row").filter({ hasText: "/pricing" }),
  ).toContainText("100%");

  await page.goto(`/sites/${siteId}?period=7d&compare=none`);
  await expect(page.getByRole("region", { name: "Devices" })).toBeVisible();
  await expect(card).toHaveCount(0);
});
