import type { Page } from "@playwright/test";
import { expect, expectEvent, type SentEvent, test } from "./support/fixtures";

/** The pageviews and custom events among what was sent, as `name path`. */
const told = (sent: SentEvent[]) =>
  sent
    .filter(({ name }) => name !== "engagement")
    .map(({ name, url, path }) => `${name} ${path ?? new URL(url).pathname}`);

/** Sends a custom event once the tracker has loaded, after everything that was to be sent before it. */
async function call(page: Page, name: string, details?: object): Promise<void> {
  await page.waitForFunction("typeof window.footfall === 'function'");
  await expectEvent(page, name, () =>
    page.evaluate(
      (given) => (window as unknown as { footfall(...given: unknown[]): void }).footfall(...given),
      [name, details],
    ),
  );
}

test("a single-page application counts each route once", async ({ shop, visitor, web }) => {
  const { page, sent } = await visitor();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host, "/app")));
  await expectEvent(page, "pageview", () => page.getByRole("button", { name: "Prices" }).click());
  await expectEvent(page, "pageview", () => page.getByRole("button", { name: "Moved" }).click());
  await page.getByRole("button", { name: "Tab" }).click();
  await page.getByRole("link", { name: "Part" }).click();
  await page.goBack();
  await page.goBack();
  await page.getByRole("button", { name: "Contact" }).click();
  await call(page, "Done");

  expect(told(sent)).toEqual([
    "pageview /app",
    "pageview /app/prices",
    "pageview /app/new",
    "pageview /app/contact",
    "Done /app/contact",
  ]);
  const [start, prices] = sent.filter(({ name }) => name === "pageview");
  expect(start?.title).toBe("Start");
  expect(prices).toMatchObject({ title: "Prices" });
  expect(prices?.referrer).toBeUndefined();
});

test("going back in a single-page application is a pageview", async ({ shop, visitor, web }) => {
  const { page, sent } = await visitor();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host, "/app")));
  await expectEvent(page, "pageview", () => page.getByRole("button", { name: "Prices" }).click());
  await expectEvent(page, "pageview", () => page.goBack());
  expect(told(sent)).toEqual(["pageview /app", "pageview /app/prices", "pageview /app"]);
});

test("routes behind the # are pages where the snippet says so", async ({ shop, visitor, web }) => {
  web.install(shop.host, shop.snippet.replace("<script", "<script data-hash"));
  const { page, sent } = await visitor();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host, "/app")));
  await expectEvent(page, "pageview", () => page.evaluate("location.hash = '#/orders/7'"));
  await call(page, "Done");
  expect(told(sent)).toEqual(["pageview /app", "pageview /app/orders/7", "Done /app/orders/7"]);
});

test("a page that counts by hand is counted when it says so, and tells once where its visitor came from", async ({
  shop,
  visitor,
  web,
}) => {
  web.install(shop.host, shop.snippet.replace("<script", "<script data-manual"));
  const { page, sent } = await visitor();
  await page.goto(web.url("elsewhere.example", `/?to=${web.url(shop.host, "/app")}`));
  await page.getByRole("link", { name: "Read on" }).click();
  await page.getByRole("button", { name: "Prices" }).click();
  await call(page, "pageview", { url: web.url(shop.host, "/chosen") });
  await call(page, "pageview");
  await call(page, "Done");
  expect(told(sent)).toEqual(["pageview /chosen", "pageview /app/prices", "Done /app/prices"]);
  const came = sent.flatMap(({ name, referrer }) => (referrer === undefined ? [] : [`${name} ${referrer}`]));
  expect(came).toEqual([`pageview ${web.url("elsewhere.example")}`]);
});

test("a page that counts by hand under a path of its own bears it until the next, in all that is sent", async ({
  shop,
  visitor,
  web,
}) => {
  web.install(shop.host, shop.snippet.replace("<script", "<script data-manual"));
  const { page, sent } = await visitor();
  await page.goto(web.url(shop.host, "/app"));
  await call(page, "pageview", { path: "/step/2" });
  await call(page, "Chosen");
  await call(page, "pageview", { path: "/step/3" });
  await call(page, "pageview");
  await call(page, "Done");
  const paths = sent.map(({ name, url, path }) => `${name} ${path ?? new URL(url).pathname}`);
  const expected = ["pageview /step/2", "Chosen /step/2", "engagement /step/2", "pageview /step/3"];
  expect(paths.slice(0, 4)).toEqual(expected);
  expect(paths.slice(-2)).toEqual(["pageview /app", "Done /app"]);
});

test("custom events are stored with their properties, also those from before the script was there", async ({
  shop,
  visitor,
  web,
  server,
}) => {
  const { page, sent } = await visitor();
  await expectEvent(page, "Early", () => page.goto(web.url(shop.host, "/early")));
  await call(page, "Purchase", { props: { sku: "A-1" }, revenue: { amount: 12.5, currency: "EUR" } });
  expect(told(sent)).toEqual(["pageview /early", "Early /early", "Purchase /early"]);

  const stored = await server.query(
    `SELECT name.name, event.props, event.revenue::float8 AS amount, event.currency
     FROM facts.event JOIN facts.name ON name.site_id = event.site_id AND name.id = event.name
     WHERE event.site_id = $1 ORDER BY name.name`,
    [shop.siteId],
  );
  expect(stored).toEqual([
    { name: "Early", props: { plan: "pro" }, amount: null, currency: null },
    { name: "Purchase", props: { sku: "A-1" }, amount: 12.5, currency: "EUR" },
  ]);
});

test("nothing is sent or stored for a visitor who opted out", async ({ shop, visitor, web, server }) => {
  const { page, sent } = await visitor();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host)));
  await page.evaluate("footfall.optOut()");
  await page.goto(web.url(shop.host, "/products"));
  await page.evaluate("footfall('Signup')");
  expect(told(sent)).toEqual(["pageview /"]);
  await page.evaluate("footfall.optIn()");
  await call(page, "Back");
  expect(told(sent)).toEqual(["pageview /", "Back /products"]);
  const [stored] = await server.query("SELECT count(*)::int AS events FROM facts.event WHERE site_id = $1", [
    shop.siteId,
  ]);
  expect(stored).toEqual({ events: 2 });
});

test("a page that carries the snippet twice is counted once", async ({ shop, visitor, web }) => {
  const { page, sent } = await visitor();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host, "/twice")));
  await call(page, "Done");
  expect(told(sent)).toEqual(["pageview /twice", "Done /twice"]);
});

test("a page that is opened in the background is counted when it is looked at", async ({ shop, visitor, web }) => {
  const { page, sent } = await visitor();
  await page.addInitScript("Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
  await page.goto(web.url(shop.host, "/early"));
  expect(told(sent)).toEqual([]);
  await expectEvent(page, "Early", () =>
    page.evaluate("delete document.hidden, document.dispatchEvent(new Event('visibilitychange'))"),
  );
  expect(told(sent)).toEqual(["pageview /early", "Early /early"]);
});

test("a page that comes back from the browser's memory is counted again", async ({ shop, visitor, web }) => {
  const { page, sent } = await visitor();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host)));
  // The browser under test keeps no pages in memory, so the page is told what such a browser would tell it.
  await expectEvent(page, "pageview", () =>
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"),
  );
  expect(told(sent)).toEqual(["pageview /", "pageview /"]);
});

test("the time somebody looked at a page and how far they read is stored for that page", async ({
  shop,
  visitor,
  web,
  server,
}) => {
  const { page } = await visitor();
  await page.clock.install();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host)));
  await page.clock.fastForward("01:30");
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  await page.getByRole("link", { name: "Products" }).click();

  const read = () =>
    server.query<{ path: string; seconds: number; scroll: number }>(
      `SELECT page.path, sum(event.engagement_ms)::int / 1000 AS seconds, max(event.scroll)::int AS scroll
       FROM facts.event JOIN facts.page ON page.site_id = event.site_id AND page.id = event.page
       WHERE event.site_id = $1 AND page.path = '/' AND event.engagement_ms IS NOT NULL GROUP BY page.path`,
      [shop.siteId],
    );
  await expect.poll(read).toEqual([{ path: "/", seconds: expect.any(Number), scroll: 100 }]);
  expect((await read())[0]?.seconds).toBeGreaterThanOrEqual(90);
});

test("a long read is reported every five minutes, so that it stays one visit", async ({ shop, visitor, web }) => {
  const { page, sent } = await visitor();
  await page.clock.install();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host)));
  await expectEvent(page, "engagement", () => page.clock.fastForward("05:00"));
  await expectEvent(page, "engagement", () => page.clock.fastForward("05:00"));
  const spans = sent.flatMap(({ engagement }) => engagement?.ms ?? []);
  expect(spans).toHaveLength(2);
  for (const ms of spans) expect(Math.round(ms / 10_000)).toBe(30);
});

test("who a page has named is named with all that follows, until it says otherwise, and the visit goes on", async ({
  shop,
  visitor,
  web,
  server,
}) => {
  const { page, sent } = await visitor();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host, "/app")));
  await call(page, "identify", { user_id: "u-1" });
  await expectEvent(page, "pageview", () => page.getByRole("button", { name: "Prices" }).click());
  await call(page, "Signed out", { user_id: null });
  await call(page, "Done");
  expect(sent.filter(({ name }) => name !== "engagement").map(({ name, user_id }) => [name, user_id])).toEqual([
    ["pageview", undefined],
    ["identify", "u-1"],
    ["pageview", "u-1"],
    ["Signed out", null],
    ["Done", null],
  ]);
  const visits = await server.query("SELECT pageviews, events FROM facts.visit WHERE site_id = $1", [shop.siteId]);
  expect(visits).toEqual([{ pageviews: 2, events: 2 }]);
});

test("who the tag names is named from the first pageview on, and nothing is stored in the browser", async ({
  shop,
  visitor,
  web,
}) => {
  web.install(shop.host, shop.snippet.replace("<script", '<script data-user="u-1"'));
  const { page, sent } = await visitor();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host)));
  await call(page, "Done");
  expect(sent.map(({ user_id }) => user_id)).toEqual(sent.map(() => "u-1"));
  expect(await page.evaluate("[document.cookie, localStorage.length, sessionStorage.length]")).toEqual(["", 0, 0]);
});

test("a browser that a program drives says so, and is suspicious", async ({ shop, visitor, web, server }) => {
  const { page } = await visitor();
  await page.addInitScript("Object.defineProperty(navigator, 'webdriver', { value: true })");
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host)));
  const [verdict] = await server.query("SELECT traffic, reason FROM facts.verdict WHERE site_id = $1", [shop.siteId]);
  expect(verdict).toEqual({ traffic: "suspicious", reason: "automated" });
});
