import type { Page } from "@playwright/test";
import { expect, expectEvent, type SentEvent, test } from "./support/fixtures";

/** The pageviews and custom events that were sent, as `name path`. */
const summarise = (sent: SentEvent[]) =>
  sent
    .filter(({ name }) => name !== "engagement")
    .map(({ name, url, path }) => `${name} ${path ?? new URL(url).pathname}`);

/** Calls `footfall()` once the tracker has loaded, and waits until the event is counted. */
async function call(page: Page, name: string, details?: object): Promise<void> {
  await page.waitForFunction("typeof window.footfall === 'function'");
  await expectEvent(page, name, () =>
    page.evaluate(
      (given) => (window as unknown as { footfall(...given: unknown[]): void }).footfall(...given),
      [name, details],
    ),
  );
}

test("a single-page application counts each route once", async ({ shop, pageview }) => {
  const { page, sent } = await pageview(shop.host, "/app");
  await expectEvent(page, "pageview", () => page.getByRole("button", { name: "Prices" }).click());
  await expectEvent(page, "pageview", () => page.getByRole("button", { name: "Moved" }).click());
  await page.getByRole("button", { name: "Tab" }).click();
  await page.getByRole("link", { name: "Part" }).click();
  await page.goBack();
  await page.goBack();
  await page.getByRole("button", { name: "Contact" }).click();
  await call(page, "Done");

  expect(summarise(sent)).toEqual([
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

test("going back in a single-page application is a pageview", { tag: "@full" }, async ({ shop, pageview }) => {
  const { page, sent } = await pageview(shop.host, "/app");
  await expectEvent(page, "pageview", () => page.getByRole("button", { name: "Prices" }).click());
  await expectEvent(page, "pageview", () => page.goBack());
  expect(summarise(sent)).toEqual(["pageview /app", "pageview /app/prices", "pageview /app"]);
});

test("hash routes are pages if the snippet has data-hash", { tag: "@full" }, async ({ shop, pageview, web }) => {
  web.install(shop.host, shop.snippet.replace("<script", "<script data-hash"));
  const { page, sent } = await pageview(shop.host, "/app");
  await expectEvent(page, "pageview", () => page.evaluate("location.hash = '#/orders/7'"));
  await call(page, "Done");
  expect(summarise(sent)).toEqual(["pageview /app", "pageview /app/orders/7", "Done /app/orders/7"]);
});

test("with data-manual pageviews are sent by hand, and the referrer is sent once", { tag: "@full" }, async ({
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
  expect(summarise(sent)).toEqual(["pageview /chosen", "pageview /app/prices", "Done /app/prices"]);
  const came = sent.flatMap(({ name, referrer }) => (referrer === undefined ? [] : [`${name} ${referrer}`]));
  expect(came).toEqual([`pageview ${web.url("elsewhere.example")}`]);
});

test("with data-manual a custom path is used for all events until the next pageview", { tag: "@full" }, async ({
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

test("custom events are stored with their properties, also those sent before the script was loaded", async ({
  shop,
  visitor,
  web,
  server,
}) => {
  const { page, sent } = await visitor();
  await expectEvent(page, "Early", () => page.goto(web.url(shop.host, "/early")));
  await call(page, "Purchase", { props: { sku: "A-1" }, revenue: { amount: 12.5, currency: "EUR" } });
  expect(summarise(sent)).toEqual(["pageview /early", "Early /early", "Purchase /early"]);

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

test("after optOut no events are sent or stored", async ({ shop, pageview, web, server }) => {
  const { page, sent } = await pageview(shop.host);
  await page.evaluate("footfall.optOut()");
  await page.goto(web.url(shop.host, "/products"));
  await page.evaluate("footfall('Signup')");
  expect(summarise(sent)).toEqual(["pageview /"]);
  await page.evaluate("footfall.optIn()");
  await call(page, "Back");
  expect(summarise(sent)).toEqual(["pageview /", "Back /products"]);
  const [stored] = await server.query("SELECT count(*)::int AS events FROM facts.event WHERE site_id = $1", [
    shop.siteId,
  ]);
  expect(stored).toEqual({ events: 2 });
});

test("a page with two snippets is counted once", { tag: "@full" }, async ({ shop, pageview }) => {
  const { page, sent } = await pageview(shop.host, "/twice");
  await call(page, "Done");
  expect(summarise(sent)).toEqual(["pageview /twice", "Done /twice"]);
});

test("a page opened in a background tab is counted when it becomes visible", { tag: "@full" }, async ({
  shop,
  visitor,
  web,
}) => {
  const { page, sent } = await visitor();
  await page.addInitScript("Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
  await page.goto(web.url(shop.host, "/early"));
  expect(summarise(sent)).toEqual([]);
  await expectEvent(page, "Early", () =>
    page.evaluate("delete document.hidden, document.dispatchEvent(new Event('visibilitychange'))"),
  );
  expect(summarise(sent)).toEqual(["pageview /early", "Early /early"]);
});

test("engagement time and scroll depth of a page are stored", async ({ shop, visitor, web, server }) => {
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

test("a long engagement is reported every five minutes, so that it stays one visit", { tag: "@full" }, async ({
  shop,
  visitor,
  web,
}) => {
  const { page, sent } = await visitor();
  await page.clock.install();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host)));
  await expectEvent(page, "engagement", () => page.clock.fastForward("05:00"));
  await expectEvent(page, "engagement", () => page.clock.fastForward("05:00"));
  const spans = sent.flatMap(({ engagement }) => engagement?.ms ?? []);
  expect(spans).toHaveLength(2);
  for (const ms of spans) expect(Math.round(ms / 10_000)).toBe(30);
});

test("identify adds the user id to later events until it is reset, and keeps the visit", async ({
  shop,
  pageview,
  server,
}) => {
  const { page, sent } = await pageview(shop.host, "/app");
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
  const visits = await server.query("SELECT pageviews, interactions FROM facts.visit WHERE site_id = $1", [
    shop.siteId,
  ]);
  expect(visits).toEqual([{ pageviews: 2, interactions: 2 }]);
});

test("data-user adds the user id to all events, and nothing is stored in the browser", { tag: "@full" }, async ({
  shop,
  pageview,
  web,
}) => {
  web.install(shop.host, shop.snippet.replace("<script", '<script data-user="u-1"'));
  const { page, sent } = await pageview(shop.host);
  await call(page, "Done");
  expect(sent.map(({ user_id }) => user_id)).toEqual(sent.map(() => "u-1"));
  expect(await page.evaluate("[document.cookie, localStorage.length, sessionStorage.length]")).toEqual(["", 0, 0]);
});

test("an automated browser is classified as suspicious", async ({ shop, visitor, web, server }) => {
  const { page } = await visitor();
  await page.addInitScript("Object.defineProperty(navigator, 'webdriver', { value: true })");
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host)));
  const [verdict] = await server.query("SELECT traffic, reason FROM facts.verdict WHERE site_id = $1", [shop.siteId]);
  expect(verdict).toEqual({ traffic: "suspicious", reason: "automated" });
});
