import { devices, type Page, type Request } from "@playwright/test";
import { postEvent, postPageview, untilReported } from "./support/events";
import { expect, expectEvent, headline, stopTime, test } from "./support/fixtures";

/** Requests that an open page makes by itself. */

/** Records the requests of a page from now on: page renders and other fetches. */
function recordRequests(page: Page) {
  const requests = { rendered: [] as string[], fetched: [] as string[] };
  page.on("requestfinished", (request) => {
    const { pathname } = new URL(request.url());
    const headers = request.headers();
    const isRendered = (headers.rsc && !headers["next-router-prefetch"]) || request.isNavigationRequest();
    requests[isRendered ? "rendered" : "fetched"].push(pathname);
  });
  return requests;
}

async function sizeOf(request: Request): Promise<number> {
  const { responseBodySize, responseHeadersSize } = await request.sizes();
  return responseBodySize + responseHeadersSize;
}

test("an open dashboard shows new events without rendering the page again", { tag: "@full" }, async ({
  siteOwner,
  pageview,
}) => {
  const { page, siteId, host } = siteOwner;
  const { page: reader } = await pageview(host);
  // An empty dashboard is rendered again after the first event, so this one opens after the first pageview.
  await untilReported(page, siteId, 1);
  await page.goto(`/sites/${siteId}`);
  await expect(headline(page, "Pageviews", "1")).toBeVisible();
  // A busy server may refuse the lists at first; the page is then rendered again until it has them.
  const pages = page.getByRole("region", { name: "Pages" });
  await expect(pages.getByRole("link", { name: "/", exact: true })).toBeVisible();
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
  expect(requests.fetched).toContain(`/sites/${siteId}/data/chart`);

  // Numbers fetched for the previous view are not shown in another view.
  await pages.getByRole("link", { name: "/about", exact: true }).click();
  await expect(headline(page, "Pageviews", "1")).toBeVisible();
});

test("an empty dashboard shows its first event by itself", async ({ siteOwner, server }) => {
  const { page, siteId } = siteOwner;
  await page.goto(`/sites/${siteId}`);
  await expect(page.getByRole("heading", { name: "Waiting for the first visit" })).toBeVisible();
  await postPageview(server, siteOwner);
  await expect(headline(page, "Pageviews", "1")).toBeVisible();
  await expect(page.getByRole("region", { name: "Pages" })).toBeVisible();
});

/** Counts the polls of a page whose time is stopped. */
function countPolls(page: Page) {
  const running = new Set<Request>();
  let polls = 0;
  page.on("request", (request) => {
    if (!request.url().endsWith("/last-event")) return;
    polls += 1;
    running.add(request);
  });
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfinished", (request) => running.delete(request));
  /** Acts, then lets seconds pass, each once the page has its answers. @returns the number of polls meanwhile */
  return async (seconds: number, act?: () => Promise<void>) => {
    const before = polls;
    await act?.();
    for (let second = 0; second < seconds; second += 1) {
      await page.clock.runFor(1_000);
      await expect.poll(() => running.size).toBe(0);
    }
    return polls - before;
  };
}

/** Hides the tab of a page, or shows it again. */
const setVisible = (page: Page, state: "visible" | "hidden") =>
  page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

test("an open dashboard asks for news ever less often while nothing happens, often again after an event, and never when hidden", {
  tag: "@full",
}, async ({ dashboard, fresh, server }) => {
  const { siteId } = dashboard;
  const page = await fresh({ storageState: await dashboard.page.context().storageState() });
  await page.clock.install();
  // From the first poll on: while one is on its way, no other follows.
  const pollsIn = countPolls(page);
  await page.goto(`/sites/${siteId}`);
  await expect(headline(page, "Visitors", "1")).toBeVisible();
  await stopTime(page);
  // The numbers may be fetched once more.
  await pollsIn(30);
  const idle = await pollsIn(60);
  expect(idle).toBeGreaterThanOrEqual(1);
  expect(idle).toBeLessThanOrEqual(4);
  expect(await pollsIn(60)).toBeLessThanOrEqual(2);

  const answer = () => dashboard.page.request.get(`/sites/${siteId}/data/last-event`);
  const lastEvent = async () => (await (await answer()).json()).last_event_at;
  const earlier = await lastEvent();
  await postPageview(server, dashboard);
  // Answers are up to two seconds behind, which are many seconds of the stopped page.
  await expect.poll(lastEvent).not.toBe(earlier);
  await untilReported(dashboard.page, siteId, 2);
  await pollsIn(31);
  await expect(headline(page, "Pageviews", "2")).toBeVisible();
  await pollsIn(30);

  await setVisible(page, "hidden");
  expect(await pollsIn(120)).toBe(0);
  expect(await pollsIn(10, () => setVisible(page, "visible"))).toBeGreaterThanOrEqual(3);
  await pollsIn(60);
  const woken = await pollsIn(30, () => page.evaluate(() => void window.dispatchEvent(new Event("focus"))));
  expect(woken).toBeGreaterThanOrEqual(4);
  expect(woken).toBeLessThanOrEqual(7);
});

test("a site whose events are all of robots says how many are hidden as what, shows them, and says why", {
  tag: "@full",
}, async ({ siteOwner, server }) => {
  const { page, siteId, host } = siteOwner;
  const pageview = { name: "pageview", url: `https://${host}/` };
  const headless = devices["Desktop Chrome"].userAgent.replace("Chrome/", "HeadlessChrome/");
  for (let sent = 0; sent < 3; sent += 1) await postEvent(server, siteOwner, pageview, headless);
  await page.goto(`/sites/${siteId}`);
  await expect(page.getByText("3 pageviews are hidden as suspicious.")).toBeVisible();

  await postEvent(server, siteOwner, pageview, "Mozilla/5.0 (compatible; Googlebot/2.1)");
  // Reports may lack the events of the last second.
  await expect(async () => {
    await page.reload();
    const both = page.getByText(/are hidden as suspicious and 1 pageview as bots\.|and 3 pageviews as suspicious\./);
    await expect(both).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const why = page.getByRole("link", { name: "See why" });
  await page.getByRole("link", { name: "Show them" }).click();
  await expect(headline(page, "Pageviews", "4")).toBeVisible();
  await page.goBack();
  await why.click();
  await expect(page.getByRole("row", { name: /suspicious.*HeadlessChrome/i })).toBeVisible();
  await expect(page.getByRole("row", { name: /bot.*Googlebot/i })).toBeVisible();
});

test("the key ? loads less than 15 KB of code", { tag: "@full" }, async ({ fresh, account, shop }) => {
  // A new browser, without cached scripts.
  const page = await fresh({ storageState: await account.request.storageState() });
  const running = new Set<Request>();
  page.on("request", (request) => running.add(request));
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfinished", (request) => running.delete(request));
  await page.goto(`/sites/${shop.siteId}`);
  // Loaded last, when the browser is idle.
  await expect(page.getByRole("region", { name: "Messages (F8)" })).toBeAttached();
  await expect.poll(() => running.size).toBe(0);
  const loaded: Request[] = [];
  page.on("requestfinished", (request) => {
    if (["script", "stylesheet"].includes(request.resourceType())) loaded.push(request);
  });
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Last 12 months")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Use shortcuts without Ctrl" })).toBeVisible();
  await expect.poll(() => running.size).toBe(0);
  const sizes = await Promise.all(loaded.map(async (request) => [request.url(), await sizeOf(request)] as const));
  const sum = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(sum).toBeGreaterThan(0);
  expect(sum, sizes.join("\n")).toBeLessThan(15_000);
});
