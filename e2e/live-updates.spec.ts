import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { PASSWORD } from "@/lib/testing/password";
import { expect, expectEvent, headline, test } from "./support/fixtures";
import { forms } from "./support/forms";

/** Requests that an open page makes by itself. */

/** Records the requests of a page from now on: page renders, other fetches, and the response bytes without polls. */
function recordRequests(page: Page) {
  const requests: { rendered: string[]; fetched: string[]; bytes: number } = { rendered: [], fetched: [], bytes: 0 };
  page.on("requestfinished", async (request) => {
    const { pathname } = new URL(request.url());
    const isRendered = request.headers().rsc !== undefined || request.isNavigationRequest();
    requests[isRendered ? "rendered" : "fetched"].push(pathname);
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    if (!pathname.endsWith("/pulse")) requests.bytes += responseBodySize + responseHeadersSize;
  });
  return requests;
}

test("an open dashboard shows new events without rendering the page again", async ({ siteOwner, pageview }) => {
  const { page, siteId, host } = siteOwner;
  const { page: reader } = await pageview(host);
  // An empty dashboard is rendered again after the first event, so this one opens after the first pageview.
  const counts = async () => (await (await page.request.get(`/sites/${siteId}/chart`)).json()).chart?.metrics;
  await expect.poll(async () => (await counts())?.pageviews).toBe(1);
  await page.goto(`/sites/${siteId}`);
  await expect(headline(page, "Pageviews", "1")).toBeVisible();
  // A busy server may refuse the lists at first; the page is then rendered again until it has them.
  const pages = page.getByRole("region", { name: "Pages" });
  await expect(pages.getByRole("link", { name: "/", exact: true })).toBeVisible();
  await page.waitForLoadState("networkidle");
  const requests = recordRequests(page);
  for (const [pageviews, link] of [
    ["2", "Products"],
    ["3", "About us"],
    ["4", "Home"],
  ] as const) {
    await expectEvent(reader, "pageview", () => reader.getByRole("link", { name: link }).click());
    await expect(headline(page, "Pageviews", pageviews)).toBeVisible();
  }
  await expect(pages.getByRole("link", { name: "/about", exact: true })).toBeVisible();
  expect(requests.rendered).toEqual([]);
  expect(requests.fetched).toContain(`/sites/${siteId}/chart`);

  // Numbers fetched for the previous view are not shown in another view.
  await pages.getByRole("link", { name: "/about", exact: true }).click();
  await expect(headline(page, "Pageviews", "1")).toBeVisible();
});

test("an empty dashboard shows its first event by itself", async ({ siteOwner, pageview }) => {
  const { page, siteId, host } = siteOwner;
  await page.goto(`/sites/${siteId}`);
  await expect(page.getByRole("heading", { name: "Waiting for the first visit" })).toBeVisible();
  await pageview(host);
  await expect(headline(page, "Pageviews", "1")).toBeVisible();
  await expect(page.getByRole("region", { name: "Pages" })).toBeVisible();
});

test("the key ? loads less than 15 KB", async ({ fresh, server, site }) => {
  // A new browser, without cached scripts.
  const page = await fresh();
  const email = `${randomUUID()}@example.com`;
  await forms(page.request, server.url).signUp(email, server);
  const shop = await site({ page, email, password: PASSWORD });
  await page.goto(`/sites/${shop.siteId}`);
  await page.waitForLoadState("networkidle");
  const requests = recordRequests(page);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Last 12 months")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Use shortcuts without Ctrl" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(requests.fetched.filter((path) => path.endsWith(".js"))).not.toEqual([]);
  expect(requests.bytes).toBeLessThan(15_000);
});
