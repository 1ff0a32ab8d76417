import type { Page } from "@playwright/test";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { storedEvents } from "./support/events";
import { expect, type OwnedSite, test } from "./support/fixtures";
import type { Server } from "./support/server";

/** Options of the tags of other products on our scripts, as their documents name them. */

/** Returns all stored events of a site: names, or paths for those without, with their properties, sorted. */
const storedOf = async (server: Server, site: OwnedSite) =>
  (await storedEvents(server, site))
    .map(({ type, name, path, props }) => {
      const shown = type === EVENT_TYPES.engagement ? `engagement ${path}` : (name ?? path);
      return `${shown}${props ? ` ${JSON.stringify(props)}` : ""}`;
    })
    .sort();

const isRead = (event: string) => event.startsWith("engagement");

const expectStored = (server: Server, site: OwnedSite, expected: string[]) =>
  expect
    .poll(async () => (await storedOf(server, site)).filter((event) => !isRead(event)))
    .toEqual([...expected].sort());

/** Returns the pages that engagement was stored of. */
const readOf = async (server: Server, site: OwnedSite) => [...new Set((await storedOf(server, site)).filter(isRead))];

/** Collects the addresses and bodies of what a page posts. */
function postsOf(page: Page): { url: string; body: string }[] {
  const posts: { url: string; body: string }[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push({ url: request.url(), body: request.postData() ?? "" });
  });
  return posts;
}

const link = (file: string) => `<a href="/${file}" onclick="return false">${file}</a> `;

test("attributes of Plausible's script say where it sends, which files count and which pages", async ({
  shop,
  web,
  server,
  visitor,
}) => {
  const file = "script.exclusions.file-downloads.revenue.tagged-events.js";
  const install = (more: string) =>
    web.install(
      shop.host,
      `<script defer data-domain="${shop.host}" data-api="/collect" data-include="/shop/**" ${more} src="${server.url}/js/${file}"></script>`,
    );
  web.forward(shop.host, "/collect", `${server.url}/api/event`);
  const buy =
    '<button class="plausible-event-name=Buy plausible-revenue-amount=12.50 plausible-revenue-currency--EUR">';
  const body = `${link("a.epub")}${link("b.pdf")}${buy}Buy</button>`;
  for (const path of ["/shop/books", "/shop/more", "/elsewhere"]) web.put(shop.host, path, body);
  const { page } = await visitor();
  const posts = postsOf(page);
  const clickFiles = async () => {
    await page.getByText("b.pdf").click();
    await page.getByText("a.epub").click();
  };
  install('file-types="epub"');
  await page.goto(web.url(shop.host, "/shop/books"));
  await clickFiles();
  await page.getByText("Buy").click();
  install('add-file-types="epub"');
  await page.goto(web.url(shop.host, "/shop/more"));
  await clickFiles();
  // The views of a page that is left out do not count, nor how long it is read. Its events do.
  await page.goto(web.url(shop.host, "/elsewhere"));
  await page.getByText("Buy").click();
  await page.goto("about:blank");
  const download = (name: string) => `File Download {"url":"${web.url(shop.host, `/${name}`)}"}`;
  await expectStored(server, shop, [
    ...["/shop/books", download("a.epub"), "Buy"],
    ...["/shop/more", download("a.epub"), download("b.pdf")],
    "Buy",
  ]);
  expect(await readOf(server, shop)).not.toContain("engagement /elsewhere");
  const sales = "SELECT sum(revenue)::float8 AS revenue FROM facts.event WHERE site_id = $1 AND currency = 'EUR'";
  expect(await server.query(sales, [shop.siteId])).toEqual([{ revenue: 25 }]);
  expect(posts.filter(({ url }) => url !== web.url(shop.host, "/collect"))).toEqual([]);
});

test("options of Plausible's init change, name and hold back events, and what is held back leaves no trace", async ({
  shop,
  web,
  server,
  visitor,
}) => {
  // The page is on a host below the site's domain, which only the name of the file says.
  const host = `blog.${shop.host}`;
  web.install(
    host,
    `<script>
      window.plausible = window.plausible || function () { (plausible.q = plausible.q || []).push(arguments) };
      plausible.init = plausible.init || function (options) { plausible.o = options };
      plausible.init({
        fileDownloads: { fileExtensions: ["epub"] },
        customProperties: (name) => ({ kind: name === "pageview" ? "view" : "event" }),
        transformRequest: (request) => {
          if (request.u.includes("/hidden") || request.n === "Secret") return null;
          return { ...request, u: request.u.replace(/users\\/\\w+/, "users/one") };
        },
      });
    </script>
    <script async src="${server.url}/js/pa-${shop.host}.js"></script>`,
  );
  const forms = `
    <form name="plain" onsubmit="return false"><button>Plain</button></form>
    <form class="plausible-event-name=Contact" onsubmit="return false"><button>Named</button></form>`;
  web.put(host, "/users/ada", `${forms}${link("a.epub")}${link("b.pdf")}<p style="height: 300vh">Long</p>`);
  web.put(host, "/hidden", '<p style="height: 300vh">Long</p>');
  const { page, sent } = await visitor();
  await page.goto(web.url(host, "/users/ada"));
  for (const name of ["Plain", "Named", "b.pdf", "a.epub"]) await page.getByText(name).click();
  await page.evaluate(() => {
    const { plausible } = window as unknown as { plausible(name: string, more?: object): void };
    plausible("Secret");
    plausible("Held", { callback: () => document.body.setAttribute("data-answered", "yes") });
  });
  await expect(page.locator("[data-answered]")).toBeVisible();
  await page.goto(web.url(host, "/hidden"));
  await page.goto("about:blank");
  const event = '"kind":"event"';
  await expectStored(server, shop, [
    '/users/one {"kind":"view"}',
    `Form: Submission {${event}}`,
    `Contact {${event}}`,
    `File Download {"url":"${web.url(host, "/a.epub")}",${event}}`,
    `Held {${event}}`,
  ]);
  await expect.poll(() => readOf(server, shop)).toEqual(["engagement /users/one"]);
  expect(sent.map(({ url }) => url).filter((url) => /\/ada|hidden/.test(url))).toEqual([]);
});

/** Opens a page with Umami's tag, and returns what it posts. */
const tagOf = (server: Server, { host }: OwnedSite, more: string, src = `${server.url}/script.js`) =>
  `<script defer src="${src}" data-website-id="${host}" ${more}></script>`;

const track = (page: Page, name?: string) =>
  page.evaluate(
    (name) => (window as unknown as { umami: { track(name?: string): Promise<void> } }).umami.track(name),
    name,
  );

test("attributes of Umami's tag say where it sends, what it leaves out, and that it waits for calls", async ({
  shop,
  web,
  server,
  visitor,
}) => {
  // The script comes from the site itself, and its events go to another host.
  for (const file of ["script.js", "umami.js"]) web.forward(shop.host, `/stats/${file}`, `${server.url}/${file}`);
  const options = 'data-auto-track="false" data-exclude-search="true" data-exclude-hash="true"';
  const src = "/stats/script.js";
  web.install(shop.host, tagOf(server, shop, `data-host-url="${server.url}/" ${options}`, src));
  const { page } = await visitor();
  const posts = postsOf(page);
  await page.goto(web.url(shop.host, "/about?token=secret#secret"));
  await page.waitForFunction(() => "umami" in window);
  await track(page, "Called");
  await expectStored(server, shop, ["Called"]);
  await track(page);
  await expectStored(server, shop, ["Called", "/about"]);
  expect(posts.map(({ url }) => url).filter((url) => url !== `${server.url}/api/send`)).toEqual([]);
  expect(posts.map(({ body }) => body).join()).not.toContain("secret");
});

test("Umami's tag sends nothing on other domains, to those who ask not to be tracked, and after umami.disabled, and its calls still work", async ({
  shop,
  web,
  server,
  visitor,
}) => {
  const { page } = await visitor();
  const posts = postsOf(page);
  const open = async (path: string) => {
    await page.goto(web.url(shop.host, path));
    await page.waitForFunction(() => "umami" in window);
    await track(page, `On ${path}`);
  };
  web.install(shop.host, tagOf(server, shop, 'data-domains="www.other.example, other.example"'));
  await open("/elsewhere");
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "doNotTrack", { get: () => "1" }));
  web.install(shop.host, tagOf(server, shop, 'data-do-not-track="true"'));
  await open("/asked");
  // Without the attribute the wish is not asked for, as in Umami.
  web.install(shop.host, tagOf(server, shop, `data-domains="other.example, ${shop.host}"`));
  await open("/counted");
  await expectStored(server, shop, ["/counted", "On /counted"]);
  await page.evaluate(() => localStorage.setItem("umami.disabled", "1"));
  const before = posts.length;
  await track(page, "Disabled");
  await open("/disabled");
  expect(posts.slice(before)).toEqual([]);
  await page.evaluate(() => localStorage.removeItem("umami.disabled"));
  await open("/again");
  await expectStored(server, shop, ["/counted", "On /counted", "/again", "On /again"]);
});

test("the function of data-before-send changes or holds back events, at once or later, and what is held back leaves no trace", async ({
  shop,
  web,
  server,
  visitor,
}) => {
  web.install(
    shop.host,
    `<script>
      window.types = [];
      window.check = (type, payload) => {
        types.push(type);
        if (payload.url.includes("/hidden") || payload.name === "Secret") return false;
        const changed = { ...payload, url: payload.url.replace(/users\\/\\w+/, "users/one"), data: { ...payload.data, on: payload.hostname } };
        return payload.name === "Now" ? changed : Promise.resolve(changed);
      };
    </script>${tagOf(server, shop, 'data-before-send="check" data-tag="v2"')}`,
  );
  for (const path of ["/users/ada", "/hidden"]) web.put(shop.host, path, '<p style="height: 300vh">Long</p>');
  const { page } = await visitor();
  const posts = postsOf(page);
  await page.goto(web.url(shop.host, "/users/ada"));
  await page.waitForFunction(() => "umami" in window);
  for (const name of ["Now", "Later", "Secret"]) await track(page, name);
  await page.evaluate(() => (window as unknown as { umami: { identify(id: string): void } }).umami.identify("u1"));
  const added = `{"on":"${shop.host}","tag":"v2"}`;
  await expectStored(server, shop, [
    `/users/one ${added}`,
    `Now ${added}`,
    `Later ${added}`,
    `/users/one {"on":"${shop.host}"}`,
  ]);
  expect(await page.evaluate(() => (window as unknown as { types: string[] }).types)).toEqual([
    ...["event", "event", "event", "event"],
    "identify",
  ]);
  await page.goto(web.url(shop.host, "/hidden"));
  await page.waitForFunction(() => "umami" in window);
  await page.goto("about:blank");
  await expect.poll(() => readOf(server, shop)).toEqual(["engagement /users/one"]);
  expect(posts.map(({ body }) => body).filter((body) => /"url":"[^"]*(\/ada|hidden)|Secret/.test(body))).toEqual([]);
});
