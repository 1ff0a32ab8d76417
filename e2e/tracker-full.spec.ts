import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium, type Page } from "@playwright/test";
import { SENT_FIELDS } from "@/lib/publish/sent-fields";
import { expect, expectEvent, type OwnedSite, type SentEvent, stopTime, test } from "./support/fixtures";

/** The full tracker on real pages: automatic events, web vitals, and delivery when a page is closed or offline. */

/** The snippet of a site for the full tracker. */
const full = (shop: OwnedSite, attributes = "") =>
  shop.snippet.replace("script.js", "script.full.js").replace("<script", `<script ${attributes}`);

test.beforeEach(({ shop, web }) => web.install(shop.host, full(shop)));

/** The events without engagement and web vitals. */
const withoutMeasurements = (sent: SentEvent[]) =>
  sent.filter(({ name }) => name !== "engagement" && name !== "vitals");
const named = (sent: SentEvent[], name: string) => sent.filter((one) => one.name === name);

/** Simulates that the tab is hidden or shown, which a headless browser never does. */
const setVisibility = (page: Page, state: "hidden" | "visible") =>
  page.evaluate((visibility) => {
    Object.defineProperty(document, "hidden", { value: visibility === "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, state);

interface Stored {
  name: string | null;
  type: number;
  path: string | null;
  props: Record<string, unknown> | null;
}

test("outbound links, downloads, tagged elements and forms are counted under their names", async ({
  shop,
  pageview,
  web,
}) => {
  web.put(
    shop.host,
    "/everything",
    `<a href="${web.url("elsewhere.example", "/there?token=secret#part")}" target="_blank">Away <svg><text>x</text></svg></a>
     <a href="${web.url(`www.${shop.host}`, "/about")}" target="_blank">Ours</a>
     <a href="/price-list.pdf?for=me" target="_blank">Prices</a>
     <a href="mailto:us@${shop.host}">Mail</a>
     <button data-footfall-event="Bought" data-footfall-plan="pro" data-footfall-revenue="49.00" data-footfall-currency="EUR"><b>Buy</b></button>
     <form id="contact" target="result" action="${web.url("elsewhere.example")}"><input name="id" required><button>Send</button></form>
     <form data-footfall-event="Newsletter" data-footfall-list="weekly" target="result" action="${web.url("elsewhere.example")}"><button>Join</button></form>
     <form onsubmit="event.preventDefault(); event.stopPropagation()"><button>Silent</button></form>
     <iframe name="result"></iframe>`,
  );
  const { page, sent } = await pageview(shop.host, "/everything");
  await expectEvent(page, "Outbound Link: Click", () => page.getByText("Away").click());
  await expectEvent(page, "Outbound Link: Click", () => page.getByText("Away").click({ button: "middle" }));
  await page.getByText("Away").click({ button: "right" });
  await page.getByText("Ours").click();
  await expectEvent(page, "File Download", () => page.getByText("Prices").click());
  await expectEvent(page, "Bought", () => page.getByText("Buy").click());
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("textbox").fill("7");
  await expectEvent(page, "Form: Submission", () => page.getByRole("button", { name: "Send" }).click());
  await expectEvent(page, "Newsletter", () => page.getByRole("button", { name: "Join" }).click());
  await expectEvent(page, "Form: Submission", () => page.getByRole("button", { name: "Silent" }).click());

  const away = { url: web.url("elsewhere.example", "/there") };
  expect(withoutMeasurements(sent).map(({ name, props, revenue }) => ({ name, props, revenue }))).toEqual([
    { name: "pageview" },
    { name: "Outbound Link: Click", props: away },
    { name: "Outbound Link: Click", props: away },
    { name: "File Download", props: { url: web.url(shop.host, "/price-list.pdf") } },
    { name: "Bought", props: { plan: "pro" }, revenue: { amount: "49.00", currency: "EUR" } },
    { name: "Form: Submission", props: { form: "contact" } },
    { name: "Newsletter", props: { list: "weekly" } },
    { name: "Form: Submission", props: {} },
  ]);
});

test("a click that leaves the page is counted, although the page is closed before the response", async ({
  shop,
  pageview,
  web,
  server,
}) => {
  const { page } = await pageview(shop.host, `/?to=${web.url("elsewhere.example")}`);
  await page.getByRole("link", { name: "Read on" }).click();
  await page.waitForURL(web.url("elsewhere.example"));
  const stored = () =>
    server.query(
      `SELECT name.name FROM facts.event JOIN facts.name ON name.site_id = event.site_id AND name.id = event.name
       WHERE event.site_id = $1`,
      [shop.siteId],
    );
  await expect.poll(stored).toEqual([{ name: "Outbound Link: Click" }]);
});

test("a 404 page sends one event, which does not end a bounce", { tag: "@full" }, async ({ shop, visitor, web }) => {
  web.put(shop.host, "/lost", "<main data-404>Nothing here</main>");
  const { page, sent } = await visitor();
  await expectEvent(page, "404", () => page.goto(web.url(shop.host, "/lost")));
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host, "/about")));
  expect(withoutMeasurements(sent).map(({ name, props, interactive }) => ({ name, props, interactive }))).toEqual([
    { name: "pageview" },
    { name: "404", props: { path: "/lost" }, interactive: false },
    { name: "pageview" },
  ]);
});

test("a search is counted once for all of its result pages", { tag: "@full" }, async ({ shop, visitor, web }) => {
  web.put(shop.host, "/find", '<a href="/find?page=2&q=red+shoes">More</a> <a href="/find?q=hats">Hats</a>');
  const { page, sent } = await visitor();
  await expectEvent(page, "Search", () => page.goto(web.url(shop.host, "/find?q=red+shoes")));
  await expectEvent(page, "pageview", () => page.getByText("More").click());
  await expectEvent(page, "Search", () => page.getByText("Hats").click());
  await expectEvent(page, "Search", () => page.evaluate("history.replaceState(null, '', '?search=gloves')"));
  expect(named(sent, "Search").map(({ props }) => props?.term)).toEqual(["red shoes", "hats", "gloves"]);
});

test("automatic events that the tag turns off are not sent", { tag: "@full" }, async ({ shop, pageview, web }) => {
  web.install(shop.host, full(shop, 'data-off="links forms 404 search vitals"'));
  web.put(shop.host, "/quiet", '<a data-404 href="/price-list.pdf" target="_blank">Prices</a>');
  const { page, sent } = await pageview(shop.host, "/quiet?q=shoes");
  await page.getByText("Prices").click();
  await setVisibility(page, "hidden");
  await expectEvent(page, "Done", () => page.evaluate("footfall('Done')"));
  expect(sent.map(({ name }) => name).filter((name) => name !== "engagement")).toEqual(["pageview", "Done"]);
});

test("an exposure to an experiment is stored with its variant", { tag: "@full" }, async ({
  shop,
  pageview,
  server,
}) => {
  const { page } = await pageview(shop.host);
  await expectEvent(page, "exposure", () => page.evaluate("footfall.exposure('checkout', 'b')"));
  const [stored] = await server.query<Stored>(
    `SELECT name.name, event.props FROM facts.event
     JOIN facts.name ON name.site_id = event.site_id AND name.id = event.name WHERE event.site_id = $1`,
    [shop.siteId],
  );
  expect(stored).toEqual({ name: "checkout", props: { variant: "b" } });
});

test("web vitals of a page are stored when its tab is hidden, and again if they have changed", async ({
  shop,
  pageview,
  web,
  server,
}) => {
  web.put(
    shop.host,
    "/slow",
    `<h1>Something to see</h1><div id="pusher"></div><p>It moves</p>
     <button onclick="const until = performance.now() + 120; while (performance.now() < until);">Think</button>
     <button onclick="setTimeout(() => { pusher.style.height = '300px'; document.title = 'moved' }, 600)">Push</button>`,
  );
  const { page, sent } = await pageview(shop.host, "/slow");
  await page.evaluate(recorded, ["paint", "largest-contentful-paint"]);
  await expectEvent(page, "vitals", () => setVisibility(page, "hidden"));
  const [first] = named(sent, "vitals");
  expect(first?.vitals).toEqual({
    view: expect.any(Number),
    lcp: expect.any(Number),
    fcp: expect.any(Number),
    ttfb: expect.any(Number),
    cls: 0,
  });

  await setVisibility(page, "visible");
  await setVisibility(page, "hidden");
  await setVisibility(page, "visible");
  await page.getByRole("button", { name: "Think" }).click();
  await page.getByRole("button", { name: "Push" }).click();
  await expect(page).toHaveTitle("moved");
  await page.evaluate(recorded, ["event", "layout-shift"]);
  await expectEvent(page, "vitals", () => setVisibility(page, "hidden"));

  const [, second, ...more] = named(sent, "vitals");
  expect(more).toEqual([]);
  expect(second?.vitals?.inp).toBeGreaterThanOrEqual(120);
  expect(second?.vitals?.cls).toBeGreaterThan(0);
  expect(second?.vitals?.lcp).toBe(first?.vitals?.lcp);
  // One view, hidden twice: only its last report counts.
  expect(second?.vitals?.view).toBe(first?.vitals?.view);
  const stored = await server.query<Stored>(
    `SELECT DISTINCT ON (visit_id, props -> 'view') props FROM facts.event
     WHERE site_id = $1 AND type = 9 ORDER BY visit_id, props -> 'view', ts DESC`,
    [shop.siteId],
  );
  expect(stored.map(({ props }) => props)).toEqual([
    { ...second?.vitals, cls: Math.round((second?.vitals?.cls ?? 0) * 1e4) / 1e4 },
  ]);
});

/**
 * Waits until the browser has recorded an entry of each type: a loaded machine may paint seconds after the load. For
 * events, browsers keep entries of at least 104 ms.
 */
const recorded = (types: string[]) =>
  Promise.all(
    types.map(
      (type) =>
        new Promise<void>((done) =>
          new PerformanceObserver((list) => {
            if (list.getEntries().some(({ name }) => name !== "first-paint")) done();
          }).observe({ type, buffered: true }),
        ),
    ),
  );

test("in a single-page application each route has its own layout shifts and interactions", { tag: "@full" }, async ({
  shop,
  pageview,
}) => {
  const { page, sent } = await pageview(shop.host, "/app");
  await page.evaluate(recorded, ["paint", "largest-contentful-paint"]);
  await expectEvent(page, "pageview", () => page.getByRole("button", { name: "Prices" }).click());
  await expectEvent(page, "pageview", () => page.getByRole("button", { name: "Contact" }).click());
  const [start, prices] = named(sent, "vitals").map(({ url, vitals }) => [new URL(url).pathname, vitals] as const);
  expect(start?.[0]).toBe("/app");
  expect(start?.[1]).toMatchObject({ lcp: expect.any(Number), fcp: expect.any(Number), cls: 0 });
  expect(prices?.[0]).toBe("/app/prices");
  expect(prices?.[1]).not.toHaveProperty("lcp");
  expect(prices?.[1]?.view).not.toBe(start?.[1]?.view);
});

test("events while offline are sent once when the network is back", { tag: "@full" }, async ({
  shop,
  pageview,
  server,
}) => {
  const { page, sent } = await pageview(shop.host);
  await page.context().setOffline(true);
  const failed = page.waitForEvent("requestfailed");
  await page.evaluate("footfall('Saved')");
  await failed;
  await expectEvent(page, "Saved", () => page.context().setOffline(false));
  await expectEvent(page, "Done", () => page.evaluate("footfall('Done')"));
  expect(withoutMeasurements(sent).map(({ name }) => name)).toEqual(["pageview", "Saved", "Saved", "Done"]);
  const [stored] = await server.query("SELECT sum(interactions)::int AS events FROM facts.visit WHERE site_id = $1", [
    shop.siteId,
  ]);
  expect(stored).toEqual({ events: 2 });
});

test("an event whose response was lost is sent again and counted once", async ({ shop, visitor, web, server }) => {
  const { page, sent } = await visitor();
  await page.clock.install();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host)));
  await page.route(
    "**/api/event",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  const failed = page.waitForEvent("requestfailed");
  await page.evaluate("footfall('Saved')");
  await failed;
  await expectEvent(page, "Saved", () => page.clock.fastForward("00:10"));
  const [first, second] = named(sent, "Saved");
  expect(first?.event_id).toMatch(/^[A-Za-z0-9_-]{12,32}$/);
  expect(second).toEqual(first);
  expect(new Set(sent.map(({ event_id }) => event_id)).size).toBe(sent.length - 1);
  const [stored] = await server.query("SELECT interactions AS events FROM facts.visit WHERE site_id = $1", [
    shop.siteId,
  ]);
  expect(stored).toEqual({ events: 1 });
});

test("events refused with 429 or 503 are retried once after Retry-After, and invalid ones are not", {
  tag: "@full",
}, async ({ shop, visitor, web }) => {
  const { page, sent } = await visitor();
  await page.clock.install();
  await page.addInitScript(`answers = 0; real = fetch; fetch = (...call) => real(...call).finally(() => answers++)`);
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host)));
  await stopTime(page);
  const refusals: Record<string, number> = { Crowded: 429, Down: 503, Wrong: 422 };
  await page.route("**/api/event", (route) => {
    const status = refusals[route.request().postDataJSON().name];
    const headers = { "access-control-allow-origin": "*", "access-control-expose-headers": "*", "retry-after": "60" };
    return status ? route.fulfill({ status, headers }) : route.continue();
  });
  const attempts = () => Object.keys(refusals).map((name) => named(sent, name).length);
  const answers = () => page.evaluate("answers");
  for (const name of Object.keys(refusals)) await page.evaluate(`footfall("${name}")`);
  await expect.poll(answers).toBe(4);
  await page.clock.runFor("00:50");
  expect(attempts()).toEqual([1, 1, 1]);
  await page.clock.runFor("00:15");
  await expect.poll(answers).toBe(6);
  expect(attempts()).toEqual([2, 2, 1]);
  await page.clock.runFor("02:00");
  expect(attempts()).toEqual([2, 2, 1]);
});

test("a slow script does not block the page, and the pageview is sent when it arrives", { tag: "@full" }, async ({
  shop,
  visitor,
  web,
}) => {
  const { page, sent } = await visitor();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/script.full.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(web.url(shop.host), { waitUntil: "commit" });
  await expect(page.getByText("Something to read")).toBeVisible();
  expect(sent).toEqual([]);
  await expectEvent(page, "pageview", async () => release());
});

test("a closed tab has sent its engagement and web vitals", { tag: "@full" }, async ({ shop, pageview, server }) => {
  const { page } = await pageview(shop.host);
  await page.evaluate(recorded, ["paint", "largest-contentful-paint"]);
  await page.close({ runBeforeUnload: true });
  const stored = () =>
    server.query("SELECT DISTINCT type FROM facts.event WHERE site_id = $1 ORDER BY type", [shop.siteId]);
  await expect.poll(stored).toEqual([{ type: 1 }, { type: 4 }, { type: 9 }]);
});

test("content that grows reduces the scroll depth", { tag: "@full" }, async ({ shop, pageview, web }) => {
  web.put(shop.host, "/feed", '<main id="feed" style="height: 200vh">First</main>');
  const { page, sent } = await pageview(shop.host, "/feed");
  await page.evaluate("scrollTo(0, document.body.scrollHeight / 2); feed.style.height = '800vh'");
  await expectEvent(page, "engagement", () => setVisibility(page, "hidden"));
  const [engagement] = named(sent, "engagement");
  expect(engagement?.engagement?.scroll).toBeGreaterThan(10);
  expect(engagement?.engagement?.scroll).toBeLessThan(35);
});

test("`?footfall=ignore` marks a browser as own traffic, and `?footfall=count` ends it", { tag: "@full" }, async ({
  shop,
  pageview,
  web,
}) => {
  const { page, sent } = await pageview(shop.host, "/?footfall=ignore");
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host, "/about")));
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host, "/?footfall=count")));
  expect(named(sent, "pageview").map(({ own }) => own ?? false)).toEqual([true, true, false]);
});

test("script and endpoint work behind a path of the site's own domain", { tag: "@full" }, async ({
  shop,
  visitor,
  web,
  server,
}) => {
  const target = new URL(server.url);
  const proxy = createServer((incoming, outgoing) => {
    const inner = /^\/numbers(\/.*)$/.exec(incoming.url ?? "")?.[1];
    const { method, headers } = incoming;
    const passed = forward({ host: "127.0.0.1", port: target.port, path: inner, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  web.install(
    shop.host,
    `<script defer src="http://${shop.host}:${port}/numbers/script.full.js" data-domain="${shop.host}"></script>`,
  );
  const { page } = await visitor();
  const answered = page.waitForResponse(`http://${shop.host}:${port}/numbers/api/event`);
  await page.goto(web.url(shop.host));
  expect((await answered).status()).toBe(202);
  const views = await server.query("SELECT pageviews FROM facts.visit WHERE site_id = $1", [shop.siteId]);
  expect(views).toEqual([{ pageviews: 1 }]);
  proxy.close();
  proxy.closeAllConnections();
});

test("the module counts the same as the script, and starts once", { tag: "@full" }, async ({
  shop,
  visitor,
  web,
  server,
}) => {
  web.install(
    shop.host,
    `<script type="module">
       import { start } from "${server.url}/footfall.mjs";
       const footfall = start({ domain: "${shop.host}", api: "${server.url}/api/event" });
       document.title = footfall === start({ domain: "${shop.host}", api: "x" }) ? "one" : "two";
       footfall("Made", { props: { by: "module" } });
     </script>`,
  );
  const { page, sent } = await visitor();
  await expectEvent(page, "Made", () => page.goto(web.url(shop.host)));
  await expect(page).toHaveTitle("one");
  expect(withoutMeasurements(sent).map(({ name }) => name)).toEqual(["pageview", "Made"]);
});

test("a page restored from a browser's back/forward cache is a new pageview", { tag: "@full" }, async ({
  shop,
  web,
  server,
}) => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || undefined,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
    args: ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP *.example 127.0.0.1"],
  });
  const page = await browser.newPage();
  await expectEvent(page, "pageview", () => page.goto(web.url(shop.host)));
  await page.evaluate("addEventListener('pageshow', (event) => { document.title = String(event.persisted) })");
  await expectEvent(page, "pageview", () => page.getByRole("link", { name: "Products" }).click());
  await page.goBack({ waitUntil: "commit" });
  await expect(page).toHaveTitle("true");
  const views = () =>
    server.query(
      `SELECT page.path, count(*)::int AS views FROM facts.event
       JOIN facts.page ON page.site_id = event.site_id AND page.id = event.page
       WHERE event.site_id = $1 AND type = 1 GROUP BY 1 ORDER BY 1`,
      [shop.siteId],
    );
  await expect.poll(views).toEqual([
    { path: "/", views: 2 },
    { path: "/products", views: 1 },
  ]);
  await browser.close();
});

test(
  "a prerendered page is counted when it is shown, not before",
  { tag: "@full" },
  async ({ shop, web, server }, testInfo) => {
    web.put(
      shop.host,
      "/rules",
      `<script type="speculationrules">{"prerender": [{"urls": ["/next"], "eagerness": "immediate"}]}</script>
     <script>addEventListener("storage", () => { location.href = "/next" })</script>`,
    );
    // The path in its events says whether the page was visible when it sent them.
    web.put(
      shop.host,
      "/next",
      `<script>
       if (document.prerendering) addEventListener("load", () => { localStorage.prerendered = "yes" });
       const real = fetch;
       window.fetch = (to, init) =>
         real(to, { ...init, body: init.body.replaceAll("/next", document.visibilityState === "visible" ? "/seen" : "/early") });
     </script>`,
    );
    // An automated browser does not prerender, so this one is only started with a URL. Its child processes may still
    // write after it exits, so its profile is in the test's output folder, which the next run deletes.
    const profile = testInfo.outputPath("profile");
    const browser = spawn(
      process.env.CHROMIUM || chromium.executablePath(),
      [
        ...["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
        ...[`--user-data-dir=${profile}`, "--host-resolver-rules=MAP *.example 127.0.0.1", "--remote-debugging-port=0"],
        web.url(shop.host, "/rules"),
      ],
      { stdio: "ignore" },
    );
    const paths = () =>
      server.query<{ path: string }>(
        `SELECT page.path FROM facts.event JOIN facts.page ON page.site_id = event.site_id AND page.id = event.page
       WHERE event.site_id = $1 AND type = 1 ORDER BY ts`,
        [shop.siteId],
      );
    try {
      await expect.poll(paths).toEqual([{ path: "/rules" }, { path: "/seen" }]);
    } finally {
      browser.kill();
      await once(browser, "exit");
    }
  },
);

test("the tracker sends exactly the documented fields", async ({ shop, visitor, web }) => {
  web.install(shop.host, full(shop, "data-hash"));
  const { page, sent } = await visitor();
  await page.goto(web.url("elsewhere.example", `/?to=${web.url(shop.host, "/?footfall=ignore")}`));
  await expectEvent(page, "pageview", () => page.getByRole("link", { name: "Read on" }).click());
  await page.evaluate("footfall.exposure('checkout', 'b')");
  await page.evaluate(`footfall("All", {
    props: { plan: "pro" }, revenue: { amount: 1, currency: "EUR" },
    interactive: true, user_id: "u-1", event_id: "${randomUUID().replaceAll("-", "")}",
  })`);
  // A browser reports no largest paint after the first click.
  await page.evaluate(recorded, ["paint", "largest-contentful-paint"]);
  await page.evaluate("onclick = () => { const until = performance.now() + 120; while (performance.now() < until); }");
  await page.getByText("Something to read").click();
  await page.evaluate(recorded, ["event"]);
  await expectEvent(page, "vitals", () => setVisibility(page, "hidden"));
  await expect.poll(() => named(sent, "engagement")).not.toEqual([]);

  // The names of custom properties are not compared.
  const fieldsOf = (value: object): string[] =>
    Object.entries(value).flatMap(([name, inner]) =>
      name === "props" || typeof inner !== "object" ? [name] : fieldsOf(inner).map((one) => `${name}.${one}`),
    );
  expect([...new Set(sent.flatMap(fieldsOf))].sort()).toEqual(SENT_FIELDS.flatMap(({ ours }) => ours).sort());
});
