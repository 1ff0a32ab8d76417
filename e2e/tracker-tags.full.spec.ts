import { expect, expectEvent, type SentEvent, test } from "./support/fixtures";

/** Tags, routers and tools as sites have them. */

const pagesIn = (sent: SentEvent[]) =>
  sent.filter(({ name }) => name === "pageview").map(({ url, path }) => path ?? new URL(url).pathname);

test("a hash route longer than a stored path is counted, cut", async ({ shop, pageview, web, server }) => {
  web.install(shop.host, shop.snippet.replace("<script", "<script data-hash"));
  const { page } = await pageview(shop.host, "/app");
  await expectEvent(page, "pageview", () => page.evaluate(`location.hash = "#/state=" + "ä".repeat(3000)`));
  const [row] = await server.query<{ length: number; end: string }>(
    "SELECT length(path) AS length, right(path, 3) AS end FROM facts.page WHERE site_id = $1 ORDER BY 1 DESC LIMIT 1",
    [shop.siteId],
  );
  expect(row?.length).toBeGreaterThan(2_040);
  expect(row?.length).toBeLessThanOrEqual(2_048);
  expect(row?.end).toBe("%A4");
});

test("the query of a hash route makes no other page", async ({ shop, pageview, web }) => {
  web.install(shop.host, shop.snippet.replace("<script", "<script data-hash"));
  const { page, sent } = await pageview(shop.host, "/app");
  await expectEvent(page, "pageview", () => page.evaluate("location.hash = '#/users'"));
  await page.evaluate("location.hash = '#/users?tab=1'");
  await expectEvent(page, "pageview", () => page.evaluate("location.hash = '#/teams?tab=1'"));
  expect(pagesIn(sent)).toEqual(["/app", "/app/users", "/app/teams"]);
});

test("query parameters that the tag names make a page, also when a router changes them, and others do not", async ({
  shop,
  pageview,
  web,
  server,
}) => {
  web.install(shop.host, shop.snippet.replace("<script", '<script data-query="p,page_id"'));
  const { page, sent } = await pageview(shop.host, "/app?utm_source=news&p=12");
  await page.evaluate("history.replaceState(null, '', '/app?p=12')");
  await page.evaluate("history.pushState(null, '', '/app?tab=1&p=12')");
  await expectEvent(page, "pageview", () => page.evaluate("history.pushState(null, '', '/app?p=13&tab=1')"));
  await expectEvent(page, "pageview", () => page.evaluate("history.pushState(null, '', '/app?tab=1')"));
  expect(sent.filter(({ name }) => name === "pageview")).toHaveLength(3);
  const pages = await server.query<{ path: string }>("SELECT path FROM facts.page WHERE site_id = $1 ORDER BY id", [
    shop.siteId,
  ]);
  expect(pages.map(({ path }) => path)).toEqual(["/app?p=12", "/app?p=13", "/app"]);
});

test("routers that keep the original pushState, or use the Navigation API, are counted once a page", async ({
  shop,
  pageview,
  web,
}) => {
  const early = "<script>const push = history.pushState.bind(history);</script>";
  web.install(shop.host, early + shop.snippet);
  const { page, sent } = await pageview(shop.host, "/app");
  await expectEvent(page, "pageview", () => page.evaluate("push(null, '', '/app/kept')"));
  await page.evaluate(
    "navigation.addEventListener('navigate', (event) => event.canIntercept && event.intercept({ handler: async () => {} }))",
  );
  await expectEvent(page, "pageview", () => page.evaluate("void navigation.navigate('/app/navigated')"));
  await expectEvent(page, "pageview", () => page.evaluate("history.replaceState(null, '', '/app/replaced')"));
  expect(pagesIn(sent)).toEqual(["/app", "/app/kept", "/app/navigated", "/app/replaced"]);
});

test("a browser without the Navigation API counts the pages of a router", async ({ shop, visitor, web }) => {
  const { page, sent } = await visitor();
  await page.addInitScript("delete window.navigation; delete Window.prototype.navigation");
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host, "/app")));
  await expectEvent(page, "pageview", () => page.getByRole("button", { name: "Prices" }).click());
  await expectEvent(page, "pageview", () => page.goBack());
  expect(pagesIn(sent)).toEqual(["/app", "/app/prices", "/app"]);
});

test("a tag that is a module counts", async ({ shop, pageview, web }) => {
  web.install(shop.host, shop.snippet.replace("<script defer", '<script type="module"'));
  const { sent } = await pageview(shop.host);
  expect(pagesIn(sent)).toEqual(["/"]);
});

test("a tag without a domain says so in the console", async ({ shop, visitor, web }) => {
  web.install(shop.host, shop.snippet.replace(/ data-domain="[^"]*"/, ""));
  const { page, sent } = await visitor();
  const said = page.waitForEvent("console", (line) => line.text().includes("data-domain"));
  await page.goto(web.url(shop.host));
  expect((await said).type()).toBe("warning");
  expect(sent).toEqual([]);
});

for (const write of [
  (host: string) => `www.${host}`,
  (host: string) => `https://${host}/`,
  (host: string) => host.toUpperCase(),
  (host: string) => `HTTP://WWW.${host}:80/shop`,
]) {
  test(`links to own hosts are not outbound with the domain ${write("site.example")}`, async ({
    shop,
    pageview,
    web,
  }) => {
    const domain = write(shop.host);
    web.install(
      shop.host,
      shop.snippet.replace("script.js", "script.full.js").replace(/data-domain="[^"]*"/, `data-domain="${domain}"`),
    );
    web.put(
      shop.host,
      "/links",
      `<a href="http://blog.${shop.host}/" onclick="event.preventDefault()">Blog</a>
      <a href="http://other.example/" onclick="event.preventDefault()">Other</a>`,
    );
    const { page, sent } = await pageview(shop.host, "/links");
    await page.getByRole("link", { name: "Blog" }).click();
    await expectEvent(page, "Outbound Link: Click", () => page.getByRole("link", { name: "Other" }).click());
    const links = sent.filter(({ name }) => name === "Outbound Link: Click").map(({ props }) => props?.url);
    expect(links).toEqual(["http://other.example/"]);
  });
}

for (const tool of ["Cypress", "_phantom", "__nightmare"]) {
  test(`a page that ${tool} drives is automated`, async ({ shop, pageview, web }) => {
    web.install(shop.host, `<script>window.${tool} = {}</script>${shop.snippet}`);
    const { sent } = await pageview(shop.host);
    expect(sent[0]?.automated).toBe(true);
  });
}

test("a page in a frame is a pageview of its own, unless the tag has data-frames=off", async ({
  shop,
  visitor,
  web,
}) => {
  const framing = (path: string) => web.put(shop.host, path, '<iframe src="/about" title="About"></iframe>');
  framing("/framing");
  const { page, sent } = await visitor();
  await page.goto(web.url(shop.host, "/framing"));
  await expect.poll(() => pagesIn(sent).sort()).toEqual(["/about", "/framing"]);
  web.install(shop.host, shop.snippet.replace("<script", '<script data-frames="off"'));
  sent.length = 0;
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host, "/framing")));
  await page.frameLocator("iframe").getByText("About us").waitFor();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host, "/about")));
  expect(pagesIn(sent)).toEqual(["/framing", "/about"]);
});
