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

test("a goal chosen on the dashboard holds in the reports of the menu, and none of them refuses it", async ({
  siteOwner,
  server,
}) => {
  const { page, siteId, host } = siteOwner;
  const spring = `https://${host}/?utm_source=newsletter&utm_campaign=spring`;
  const send = (name: string, user_id: string) => postEvent(server, { host }, { name, url: spring, user_id });
  for (const who of ["ann", "ben"]) await send("pageview", who);
  await send("Signup", "ann");
  for (const who of ["ann", "ben", "ben"]) await send("Play", who);
  await page.goto(`/sites/${siteId}/settings/goals`);
  for (const name of ["Signup", "Play"]) {
    await page.getByRole("region", { name: "Goals" }).getByRole("button", { name: "New goal" }).click();
    await page.getByRole("dialog").getByLabel("Name of the event").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("button", { name: `Edit ${name}` })).toBeVisible();
  }

  await page.goto(`/sites/${siteId}?period=7d`);
  await page.getByRole("button", { name: /^Goal/ }).click();
  await page.getByRole("menu").getByText("Signup", { exact: true }).click();
  await expect(page).toHaveURL(/goal=Signup/);
  const card = page.getByRole("region", { name: "What changed" });
  await expect(card.getByText("Conversions rose from 0 to 1.")).toBeVisible();

  const reports = page.getByRole("navigation", { name: "Reports" });
  await reports.getByRole("link", { name: "Explore" }).click();
  await expect(page.getByRole("heading", { name: "Explore", level: 1 })).toBeVisible();
  await expect(page.getByRole("region", { name: "Visitors" }).first()).toBeVisible();
  await expect(page).toHaveURL(/goal=Signup/);

  await reports.getByRole("link", { name: "What changed" }).click();
  await expect(page.getByRole("heading", { name: "What changed", level: 1 })).toBeVisible();
  await expect(page.getByText("Conversions rose from 0 to 1.").first()).toBeVisible();
  await page.getByRole("navigation", { name: "Metric" }).getByRole("link", { name: "Visits" }).click();
  await expect(page.getByText("Visits rose from 0 to 2.").first()).toBeVisible();

  await reports.getByRole("button", { name: "Reports" }).filter({ hasText: "Acquisition" }).click();
  await page.getByRole("menuitem", { name: "Campaigns" }).click();
  await expect(page.getByRole("heading", { name: "Campaigns and channels", level: 1 })).toBeVisible();
  const row = page.getByRole("region", { name: "Campaigns" }).getByRole("row").filter({ hasText: "spring" });
  await expect(row).toContainText("50%");
  await expect(page.getByText("A conversion is an event that reaches the goal “Signup”.")).toBeVisible();
  await expectAccessible(page, "campaigns of a goal");
  await page.getByRole("button", { name: /^Goal/ }).click();
  await page.getByRole("menu").getByText("No goal", { exact: true }).click();
  await expect(row).toContainText("100%");
  await expect(page).not.toHaveURL(/goal=/);
});
