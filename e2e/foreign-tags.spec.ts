import { randomUUID } from "node:crypto";
import { build } from "esbuild";
import { withPlausibleProxy } from "next-plausible";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { storedEvents } from "./support/events";
import { expect, type OwnedSite, test } from "./support/fixtures";
import type { Server } from "./support/server";

/** Tags and published clients of other products on real pages, with nothing changed but the host. */

const QUEUE =
  "<script>window.plausible = window.plausible || function () { (plausible.q = plausible.q || []).push(arguments) }</script>";

const SECONDARY: readonly number[] = [EVENT_TYPES.engagement, EVENT_TYPES.vitals];

/** Returns what is stored of a site, but for engagement and web vitals: names of events, or paths of pageviews, with their properties. */
const storedOf = async (server: Server, site: OwnedSite) =>
  (await storedEvents(server, site))
    .filter(({ type }) => !SECONDARY.includes(type))
    .map(({ name, path, props }) => `${name ?? path}${props ? ` ${JSON.stringify(props)}` : ""}`);

const expectStored = (server: Server, site: OwnedSite, expected: string[]) =>
  expect.poll(async () => (await storedOf(server, site)).sort()).toEqual([...expected].sort());

/** Returns the pageviews and interactions of the site's visits; a visit of one view without an interaction is a bounce. */
const visitsOf = (server: Server, { siteId }: OwnedSite) =>
  server.query("SELECT pageviews, interactions FROM facts.visit WHERE site_id = $1 ORDER BY started", [siteId]);

/** Returns a page's script with the npm packages that it imports. @param env what its build puts in place of `process.env`. */
async function scriptOf(contents: string, env: object = {}): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: "tsx" },
    bundle: true,
    write: false,
    format: "iife",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"', "process.env": JSON.stringify(env) },
  });
  return `<script>${outputFiles[0]?.text.replaceAll("</script", "<\\/script")}</script>`;
}

test("Plausible's script under its names tracks what its extensions say, and answers calls from before it loaded", async ({
  shop,
  web,
  server,
  visitor,
}) => {
  const file = "script.file-downloads.hash.local.outbound-links.pageview-props.revenue.tagged-events.js";
  web.install(
    shop.host,
    `${QUEUE}<script defer data-domain="${shop.host}" event-author="Ada" src="${server.url}/js/${file}"></script>`,
  );
  web.put(
    shop.host,
    "/plausible",
    `<script>plausible("Early", { props: { plan: "pro" }, callback: (result) => { window.answered = result } })</script>
     <button class="plausible-event-name=Add+to+cart plausible-event-size--XL"><b>Add</b></button>
     <form class="plausible-event-name=Contact" onsubmit="return false"><input type="submit" value="Send" class="plausible-event-name=Sent"></form>
     <a href="https://elsewhere.example/x?secret=1" onclick="return false">Away</a>
     <a href="/report.pdf" onclick="return false">Report</a>`,
  );
  const { page, sent } = await visitor();
  await page.goto(web.url(shop.host, "/plausible#/start"));
  await page.getByText("Add").click();
  await page.getByText("Send").click();
  await page.getByText("Away").click();
  await page.getByText("Report").click();
  await page.evaluate(() => {
    location.hash = "#/next";
  });
  await expect.poll(async () => (await storedOf(server, shop)).length).toBe(7);
  const stored = (await storedOf(server, shop)).map((text) => text.replace(/ \{.*/, ""));
  expect(stored.sort()).toEqual(
    [
      "/plausible/start",
      "Early",
      "Add to cart",
      "Contact",
      "Outbound Link: Click",
      "File Download",
      "/plausible/next",
    ].sort(),
  );
  const full = await storedOf(server, shop);
  expect(full.filter((text) => !text.includes('"author":"Ada"'))).toEqual([]);
  expect(full.join()).not.toContain("secret");
  expect(await page.evaluate(() => (window as unknown as { answered: unknown }).answered)).toEqual({ status: 202 });
  // The live test tells these events from those of our own tags by it.
  expect(sent.filter(({ client }) => client !== "plausible")).toEqual([]);
});

const TAGGED = [
  '<form name="plain" onsubmit="return false"><button class="plausible-event-name=Pressed">Plain form</button></form>',
  '<form class="plausible-event-name=Contact" onsubmit="return false"><button><b>Tagged form</b></button></form>',
  '<div class="plausible-event-name=Wrapped"><form onsubmit="return false"><button>Wrapped form</button></form></div>',
  '<form class="plausible-event-name=Deep" onsubmit="return false"><p><i><u><button type="button" class="plausible-event-name=Far"><b>Deep button</b></button></u></i></p></form>',
  '<div class="plausible-event-name=Outer"><button class="plausible-event-name=Inner">Outermost</button></div>',
  '<a class="plausible-event-name=Link" href="https://elsewhere.example/a" onclick="return false">Tagged link</a>',
  '<a href="https://elsewhere.example/b" onclick="return false"><span class="plausible-event-name=Within">Tag in a link</span></a>',
  '<form onsubmit="return false"><a href="https://elsewhere.example/c" onclick="return false">Link in a form</a></form>',
  '<form onsubmit="return false"><a class="plausible-event-name=No" href="https://elsewhere.example/d" onclick="return false">Tagged link in a form</a></form>',
];

test("clicks on tagged elements, links and forms count as in Plausible's published script", { tag: "@full" }, async ({
  shop,
  web,
  server,
  visitor,
}) => {
  const options = `domain: "${shop.host}", outboundLinks: true, formSubmissions: true`;
  const published = await scriptOf(`
    import { init } from "@plausible-analytics/tracker";
    init({ ${options}, endpoint: "${server.url}/api/event" });`);
  const ours = `<script>
    window.plausible = { q: [], o: { ${options} } };
    </script><script async src="${server.url}/js/pa-${shop.host}.js"></script>`;
  web.install(shop.host, "");
  web.put(shop.host, "/published", published + TAGGED.join(""));
  web.put(shop.host, "/ours", ours + TAGGED.join(""));
  const { page } = await visitor();
  const outbound = (name: string) => `Outbound Link: Click {"url":"https://elsewhere.example/${name}"}`;
  const counted = [
    ...["Form: Submission", "Contact", "Wrapped", "Far", "Outer"],
    ...['Link {"url":"https://elsewhere.example/a"}', 'Within {"url":"https://elsewhere.example/b"}'],
    ...[outbound("b"), outbound("c"), "Last"],
  ];
  for (const path of ["/published", "/ours"]) {
    await server.query("DELETE FROM facts.event WHERE site_id = $1", [shop.siteId]);
    await page.goto(web.url(shop.host, path));
    await expectStored(server, shop, [path]);
    for (const name of TAGGED) await page.getByText(name.replace(/<[^>]+>/g, ""), { exact: true }).click();
    // The last element counts nothing, so something else must follow it.
    await page.evaluate(() => (window as unknown as { plausible(name: string): void }).plausible("Last"));
    await expectStored(server, shop, [path, ...counted]);
  }
});

test("a page that Plausible's script excludes, one that tracks by hand, and an opted-out browser send nothing by themselves", async ({
  shop,
  web,
  server,
  visitor,
}) => {
  const tag = (name: string, more = "") =>
    `${QUEUE}<script defer data-domain="${shop.host}" ${more} src="${server.url}/js/${name}"></script>`;
  const { page } = await visitor();
  web.install(shop.host, tag("script.exclusions.js", 'data-exclude="/about*, /products"'));
  await page.goto(web.url(shop.host, "/about"));
  await page.goto(web.url(shop.host, "/products"));
  web.install(shop.host, tag("plausible.manual.js"));
  await page.goto(web.url(shop.host, "/by-hand"));
  await page.evaluate(() =>
    (window as unknown as { plausible(name: string, more: object): void }).plausible("pageview", {
      u: `${location.origin}/chosen`,
    }),
  );
  await expectStored(server, shop, ["/chosen"]);
  await page.evaluate(() => localStorage.setItem("plausible_ignore", "true"));
  web.install(shop.host, tag("script.js"));
  await page.goto(web.url(shop.host, "/ignored"));
  await page.evaluate(() => localStorage.removeItem("plausible_ignore"));
  await page.goto(web.url(shop.host, "/counted"));
  await expectStored(server, shop, ["/chosen", "/counted"]);
});

test("@plausible-analytics/tracker and plausible-tracker send to this server as they are published, and their numbers are right", async ({
  shop,
  web,
  server,
  visitor,
}) => {
  const official = await scriptOf(`
    import { init, track } from "@plausible-analytics/tracker";
    init({ domain: "${shop.host}", endpoint: "${server.url}/api/event", outboundLinks: true, customProperties: { plan: "pro" } });
    track("Order", { revenue: { amount: 49.9, currency: "EUR" }, interactive: false, callback: (result) => { window.answered = result } });`);
  const older = await scriptOf(`
    import Plausible from "plausible-tracker";
    const plausible = Plausible({ domain: "${shop.host}", apiHost: "${server.url}", trackLocalhost: true });
    plausible.trackPageview();
    plausible.trackEvent("Signup", { props: { seats: 3 }, callback: () => { window.answered = "done" } });`);
  const { page } = await visitor();
  const answered = () => page.evaluate(() => (window as unknown as { answered?: unknown }).answered);
  web.install(shop.host, "");
  web.put(shop.host, "/official", `${official}<a href="https://elsewhere.example/x" onclick="return false">Away</a>`);
  await page.goto(web.url(shop.host, "/official"));
  await expect.poll(answered).toEqual({ status: 202 });
  await expectStored(server, shop, ['/official {"plan":"pro"}', 'Order {"plan":"pro"}']);
  // An event that is not interactive leaves the visit a bounce.
  expect(await visitsOf(server, shop)).toEqual([{ pageviews: 1, interactions: 0 }]);
  await page.getByText("Away").click();
  await expect.poll(() => visitsOf(server, shop)).toEqual([{ pageviews: 1, interactions: 1 }]);
  web.put(shop.host, "/older", older);
  await page.goto(web.url(shop.host, "/older"));
  await expect.poll(answered).toBe("done");
  await expectStored(server, shop, [
    '/official {"plan":"pro"}',
    'Order {"plan":"pro"}',
    'Outbound Link: Click {"url":"https://elsewhere.example/x","plan":"pro"}',
    "/older",
    'Signup {"seats":3}',
  ]);
  expect(await visitsOf(server, shop)).toEqual([{ pageviews: 2, interactions: 2 }]);
  const sales =
    "SELECT revenue::float8 AS revenue, currency FROM facts.event WHERE site_id = $1 AND revenue IS NOT NULL";
  expect(await server.query(sales, [shop.siteId])).toEqual([{ revenue: 49.9, currency: "EUR" }]);
});

/** Returns the page of an app with next-plausible. @param props of its provider, beside `enabled`. */
const nextPage = async (props: string, env?: object) =>
  `<div id="root"></div>${await scriptOf(
    `
    import { createRoot } from "react-dom/client";
    import PlausibleProvider, { usePlausible } from "next-plausible";
    function Button() {
      const plausible = usePlausible();
      return <button onClick={() => plausible("Clicked", { props: { plan: "pro" } })}>Click</button>;
    }
    createRoot(document.getElementById("root")).render(<PlausibleProvider enabled ${props}><Button /></PlausibleProvider>);`,
    env,
  )}`;

test("next-plausible loads its script from this server and sends to it, whichever of its two scripts runs first", {
  tag: "@full",
}, async ({ shop, web, server, visitor }) => {
  web.install(shop.host, "");
  const init = `{ domain: "${shop.host}", endpoint: "${server.url}/api/event" }`;
  web.put(shop.host, "/next", await nextPage(`src="${server.url}/js/pa-Xy12.js" init={${init}}`));
  const { page } = await visitor();
  await page.goto(web.url(shop.host, "/next"));
  await page.getByText("Click").click();
  await expectStored(server, shop, ["/next", 'Clicked {"plan":"pro"}']);
});

test("behind withPlausibleProxy of next-plausible, script and events go through the site's own paths, and visits count", async ({
  shop,
  web,
  server,
  visitor,
}) => {
  web.install(shop.host, "");
  const config = withPlausibleProxy({ src: `${server.url}/js/pa-${shop.host}.js` })({});
  const rewrites = (await config.rewrites?.()) as { source: string; destination: string }[];
  expect(rewrites.map(({ source }) => source)).toEqual(["/js/script.js", "/api/event"]);
  for (const { source, destination } of rewrites) web.forward(shop.host, source, destination);
  web.put(shop.host, "/next", await nextPage("", config.env));
  const { page } = await visitor();
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).hostname !== shop.host) elsewhere.push(request.url());
  });
  await page.goto(web.url(shop.host, "/next"));
  await page.getByText("Click").click();
  await expectStored(server, shop, ["/next", 'Clicked {"plan":"pro"}']);
  expect(await visitsOf(server, shop)).toEqual([{ pageviews: 1, interactions: 1 }]);
  expect(elsewhere).toEqual([]);
});

test("Umami's tag counts on our script by its website id, and so do its calls and attributes", async ({
  shop,
  web,
  server,
  visitor,
}) => {
  const alias = randomUUID();
  await server.query("INSERT INTO site_alias (alias, site_id, created_at) VALUES ($1, $2, now())", [
    alias,
    shop.siteId,
  ]);
  web.install(
    shop.host,
    `<script defer src="${server.url}/script.js" data-website-id="${alias}" data-tag="v2" data-performance="true"></script>`,
  );
  web.put(
    shop.host,
    "/umami",
    `<button data-umami-event="Add" data-umami-event-size="XL">Add</button>
     <button onclick="umami.track('Signup', { plan: 'pro', deep: { seats: 3 } }).then(() => { window.website = umami.getSession().website })">Sign up</button>
     <button onclick="umami.identify('u1', { plan: 'pro' }); umami.track((props) => ({ ...props, url: '/virtual' }))">Virtual</button>`,
  );
  const { page } = await visitor();
  await page.goto(web.url(shop.host, "/umami"));
  await expectStored(server, shop, ['/umami {"tag":"v2"}']);
  await page.getByText("Add").click();
  await page.getByText("Sign up").click();
  await page.getByText("Virtual").click();
  await expect.poll(async () => (await storedOf(server, shop)).length).toBe(5);
  const stored = await storedOf(server, shop);
  expect(stored.map((text) => text.replace(/ \{.*/, "")).sort()).toEqual(
    ["/umami", "/umami", "/virtual", "Add", "Signup"].sort(),
  );
  expect(stored.find((text) => text.startsWith("Signup"))).toContain('"deep.seats":3');
  expect(await page.evaluate(() => (window as unknown as { website?: string }).website)).toBe(alias);
  // The page goes on with the full tracker's engagement, and with web vitals where the tag asks for them.
  await page.goto(web.url(shop.host, "/about"));
  await expect
    .poll(() =>
      server.query("SELECT count(*)::int AS n FROM facts.visit WHERE site_id = $1 AND pageviews = 3", [shop.siteId]),
    )
    .toEqual([{ n: 1 }]);
  const vitals =
    "SELECT (props ->> 'ttfb')::int >= 0 AS seen FROM facts.event WHERE site_id = $1 AND type = $2 LIMIT 1";
  await expect.poll(() => server.query(vitals, [shop.siteId, EVENT_TYPES.vitals])).toEqual([{ seen: true }]);
});

test("the paths of other products' clients answer in their forms, and pages of other origins may use those that are for pages", async ({
  server,
}) => {
  const preflight = await fetch(`${server.url}/api/send`, { method: "OPTIONS" });
  expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
    204,
    expect.stringContaining("x-umami-cache"),
  ]);
  const post = async (path: string, body: string) => {
    const answer = await fetch(server.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return {
      status: answer.status,
      cors: answer.headers.get("access-control-allow-origin"),
      body: await answer.json(),
    };
  };
  const large = JSON.stringify({ data: "x".repeat(600 * 1024) });
  expect(await post("/v1/track", "{}")).toMatchObject({ status: 401, cors: null, body: { success: false } });
  expect(await post("/v1/batch", large)).toMatchObject({ status: 413, body: { success: false } });
  expect(await post("/api/send", "[]")).toMatchObject({ status: 400, cors: "*", body: { error: { status: 400 } } });
  expect(await post("/api/batch", large)).toMatchObject({ status: 413, cors: "*", body: { error: { status: 413 } } });
  const script = await fetch(`${server.url}/js/script.manual.hash.js`);
  expect(await script.text()).toContain("script.hash.manual.js");
  expect(script.headers.get("access-control-allow-origin")).toBe("*");
  for (const name of ["script.unknown.js", "other.js", "pa-%3Cscript%3E.js"])
    expect((await fetch(`${server.url}/js/${name}`)).status, name).toBe(404);
});
