import type { Page } from "@playwright/test";
import { PANEL_REPORTS } from "@/lib/contract/reports";
import { expectAccessible } from "./support/accessibility";
import { expect, type OwnedSite, test } from "./support/fixtures";
import type { Server } from "./support/server";
import { sendVisits } from "./support/visits";

/** Reports behind a private link, as people without an account read them. */

/** Sends what each report has rows of. */
async function sendShopVisits(server: Server, site: Pick<OwnedSite, "host">) {
  const { ann } = await sendVisits(server, site, "pro");
  await ann({ name: "product_viewed", props: { product_id: "tea" } });
  const revenue = { amount: "12.50", currency: "EUR" };
  await ann({ name: "purchase", props: { order_id: "1", coupon: "SPRING" }, revenue });
}

/** The views that the page leads to. */
const viewsOf = (page: Page): Promise<string[]> =>
  page
    .getByRole("main")
    .getByRole("link")
    .evaluateAll((links) => [...new Set(links.map((link) => (link as HTMLAnchorElement).href))]);

/** Makes a link to all reports in the settings, once reports have the copy that they are read from. @returns its address */
async function linkToReports(owner: Page, siteId: number): Promise<string> {
  await expect
    .poll(async () => (await owner.request.get(`/sites/${siteId}/reports/events/download?format=json`)).status())
    .toBe(200);
  await owner.goto(`/sites/${siteId}/settings/sharing`);
  await owner.getByLabel("For", { exact: true }).fill("Press");
  await owner.getByRole("checkbox", { name: /^Dashboard/ }).uncheck();
  await owner.getByRole("checkbox", { name: /^Reports/ }).check();
  await owner.getByRole("checkbox", { name: "All reports" }).check();
  await owner.getByRole("button", { name: "Create link" }).click();
  return (await owner.getByTestId("share-link").textContent()) ?? "";
}

test("every link of every shared report opens what it promises", { tag: "@full" }, async ({
  siteOwner: { page: owner, siteId, host },
  open,
  server,
}) => {
  await sendShopVisits(server, { host });
  const url = await linkToReports(owner, siteId);
  const guest = await open();
  const main = guest.getByRole("main");
  const shown = main
    .getByRole("table")
    .or(main.getByRole("heading", { level: 2 }))
    .or(main.getByText("No saved funnels."));
  const opened = new Set<string>();
  for (const key of PANEL_REPORTS.filter((report) => report !== "realtime")) {
    await guest.goto(`${url}/reports/${key}`);
    await expect(shown.first()).toBeVisible();
    for (const view of (await viewsOf(guest)).filter((one) => !opened.has(one))) {
      opened.add(view);
      const response = await guest.request.get(view);
      expect(response.status(), `${key}: ${view}`).toBe(200);
      expect(await response.text(), `${key}: ${view}`).not.toMatch(/on a public dashboard|shows only what its panels/);
    }
  }
  const filtered = [...opened].filter((view) => view.includes("filters=")).map((view) => new URL(view).pathname);
  const reports = new Set(filtered.map((path) => path.split("/").at(-1)));
  expect(reports).toEqual(new Set(["campaigns", "ai", "commerce", "vitals"]));
});

test("a shared report says which visit gets conversions, and a row that may not filter is text", async ({
  siteOwner: { page: owner, siteId, host },
  open,
  server,
}) => {
  await sendShopVisits(server, { host });
  const url = await linkToReports(owner, siteId);
  const guest = await open();
  await guest.goto(`${url}/reports/campaigns`);
  await expect(guest.getByText("of the visit in which they happened")).toBeVisible();
  await guest.getByRole("rowheader").getByRole("link", { name: "spring" }).click();
  await expect(guest).toHaveURL(/filters=/);
  await expect(guest.getByRole("rowheader").getByRole("link", { name: "spring" })).toBeVisible();
  await guest.goto(`${url}/reports/commerce?attribution=first`);
  await expect(guest.getByText("of the visitor’s first visit in the 30 days before")).toBeVisible();
  await expectAccessible(guest, "a shared report");
  await guest.goto(`${url}/reports/journeys`);
  await expect(guest.getByRole("rowheader", { name: "/ → /pricing" }).first()).toBeVisible();
  await expect(guest.getByRole("rowheader").getByRole("link")).toHaveCount(0);
  await expect(guest.getByText("of the visit in which they happened")).toHaveCount(0);
});

test("the dialog of a link says what the dashboard does not show to its readers", async ({
  siteOwner: { page, siteId, host },
  server,
}) => {
  await sendShopVisits(server, { host });
  await page.goto(`/sites/${siteId}`);
  await page.getByRole("button", { name: "Share this view" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Conversions and goals are not shown.");
  await expect(dialog).toContainText("Realtime, Explore and a single funnel cannot be shared.");
  await expectAccessible(page, "what a link leaves out");
});
