import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { forms } from "./support/forms";
import { counted, expect, headline, test } from "./support/stories";

/** What an open page fetches by itself. */

/** Every request that a page makes from now on, by what it is for, and the bytes of the answers without its polls. */
function requestsOf(page: Page) {
  const made: { rendered: string[]; fetched: string[]; bytes: number } = { rendered: [], fetched: [], bytes: 0 };
  page.on("requestfinished", async (request) => {
    const { pathname } = new URL(request.url());
    const isRendered = request.headers().rsc !== undefined || request.isNavigationRequest();
    made[isRendered ? "rendered" : "fetched"].push(pathname);
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    if (!pathname.endsWith("/pulse")) made.bytes += responseBodySize + responseHeadersSize;
  });
  return made;
}

test("an open dashboard shows new events without rendering the page again", async ({ owner, site, visitor, web }) => {
  const ann = await owner();
  const shop = await site(ann);
  const reader = await visitor();
  await counted(reader.page, "pageview", () => reader.page.goto(web.at(shop.host)));
  // A page that begins empty is rendered again once: here the first view is counted before it opens.
  const counts = async () => (await (await ann.page.request.get(`/sites/${shop.siteId}/chart`)).json()).chart?.metrics;
  await expect.poll(async () => (await counts())?.pageviews).toBe(1);
  await ann.page.goto(`/sites/${shop.siteId}`);
  await expect(headline(ann.page, "Pageviews", "1")).toBeVisible();
  // A busy server may refuse the lists at first; the page is then rendered again until it has them.
  const pages = ann.page.getByRole("region", { name: "Pages" });
  await expect(pages.getByRole("link", { name: "/", exact: true })).toBeVisible();
  await ann.page.waitForLoadState("networkidle");
  const made = requestsOf(ann.page);
  for (const [pageviews, link] of [
    ["2", "Products"],
    ["3", "About us"],
    ["4", "Home"],
  ] as const) {
    await counted(reader.page, "pageview", () => reader.page.getByRole("link", { name: link }).click());
    await expect(headline(ann.page, "Pageviews", pageviews)).toBeVisible();
  }
  await expect(pages.getByRole("link", { name: "/about", exact: true })).toBeVisible();
  expect(made.rendered).toEqual([]);
  expect(made.fetched).toContain(`/sites/${shop.siteId}/chart`);

  // Another view is its own, whatever was fetched for the one before.
  await pages.getByRole("link", { name: "/about", exact: true }).click();
  await expect(headline(ann.page, "Pageviews", "1")).toBeVisible();
});

test("a dashboard that was empty shows its first event by itself", async ({ owner, site, visitor, web }) => {
  const ann = await owner();
  const shop = await site(ann);
  await ann.page.goto(`/sites/${shop.siteId}`);
  await expect(ann.page.getByRole("heading", { name: "Waiting for the first visit" })).toBeVisible();
  const reader = await visitor();
  await counted(reader.page, "pageview", () => reader.page.goto(web.at(shop.host)));
  await expect(headline(ann.page, "Pageviews", "1")).toBeVisible();
  await expect(ann.page.getByRole("region", { name: "Pages" })).toBeVisible();
});

test("the key ? loads less than 15 KB", async ({ fresh, server, site }) => {
  // A browser that has none of our scripts yet.
  const page = await fresh();
  const owner = { page, email: `${randomUUID()}@example.com`, password: `long enough ${randomUUID()}` };
  await forms(page.request, server.url).signUp(owner, server);
  const shop = await site(owner);
  await page.goto(`/sites/${shop.siteId}`);
  await page.waitForLoadState("networkidle");
  const made = requestsOf(page);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" }).getByText("Last 12 months")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Keys without Ctrl do something" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(made.fetched.filter((path) => path.endsWith(".js"))).not.toEqual([]);
  expect(made.bytes).toBeLessThan(15_000);
});
