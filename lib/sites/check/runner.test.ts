import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { runTest, type World } from "@/lib/sites/check/runner";
import { type InstallationTest, readTest, startTest, stopTest } from "@/lib/sites/check/runs";
import { type PagedSite, pagesForTests } from "@/lib/testing/own-page";
import { post } from "@/lib/testing/world";

/** Installation tests against small sites on loopback. */

const { paged, set } = pagesForTests();

const snippet = (host: string) => `<script defer src="${env().BASE_URL}/script.js" data-domain="${host}"></script>`;
const page = (host: string) => `<!doctype html><head>${snippet(host)}</head><body><h1>Shop</h1></body>`;

/** Starts a test of the site's page, without a browser, and returns functions to read its state. */
async function start(site: PagedSite, world: World = {}) {
  const started = await startTest(db(), { id: site.id, domain: site.host }, new Date());
  const run = runTest(started.id, { internet: site.internet, browser: null, pollMs: 10, ...world });
  const read = (now = new Date()) => readTest(db(), site.id, started.id, now);
  /** Waits for this status. */
  const until = async (status: InstallationTest["status"]): Promise<InstallationTest> => {
    for (;;) {
      const seen = await read();
      if (seen.status === status) return seen;
      if (!seen.running) throw new Error(`It ended as ${seen.status}: ${JSON.stringify(seen.findings)}`);
    }
  };
  return { started, run, read, until };
}
const codes = ({ findings }: InstallationTest) => findings.map(({ code }) => code);

/** Runs a test to its end. */
async function ended(site: PagedSite) {
  const { run, read } = await start(site);
  await run;
  return read();
}

test("a test of a working page passes when its event arrives, and the event is not counted", async () => {
  const site = await paged(page);
  const { started, run, read, until } = await start(site);
  expect(started).toMatchObject({
    status: "queued",
    running: true,
    findings: [],
    url: `https://${site.host}/?footfall_test=${started.id}`,
  });
  const waiting = await until("waiting");
  expect([codes(waiting), waiting.page?.status]).toEqual([["snippet_found"], 200]);
  const answer = await (await post(site, { name: "pageview", url: started.url })).json();
  expect(answer).toMatchObject({ status: "filtered", reason: "installation_test" });
  await run;
  const done = await read();
  expect(done).toMatchObject({ status: "passed", running: false, event: { page: `${site.host}/`, left_out: null } });
  expect(codes(done)).toEqual(["snippet_found", "no_browser", "event_arrived"]);
  // Later events of the same page view are not counted either.
  const later = await (await post(site, { name: "engagement", url: started.url, engagement: { ms: 9_000 } })).json();
  expect(later.reason).toBe("installation_test");
});

test("an event excluded by the site's own rules completes the test with a warning", async () => {
  const site = await paged(page);
  const { started, run, read, until } = await start(site);
  await until("waiting");
  await post(site, { name: "pageview", url: started.url, own: true });
  await run;
  expect(codes(await read())).toContain("event_filtered");
});

test("a pageview of the tested page without the test parameter completes the test too", async () => {
  const site = await paged(page);
  const { run, read, until } = await start(site);
  await until("waiting");
  await post(site, "/elsewhere");
  await post(site, "/");
  await run;
  expect(await read()).toMatchObject({ status: "passed", event: { page: `${site.host}/` } });
});

test("events of another site or with an unknown test id do not complete the test and are counted", async () => {
  const [site, other] = [await paged(page), await paged(page)];
  const { started, run, until } = await start(site);
  await until("waiting");
  const named = (host: string, id: string) => ({ name: "pageview", url: `https://${host}/x?footfall_test=${id}` });
  expect((await (await post(other, named(other.host, started.id))).json()).status).toBe("stored");
  expect((await (await post(site, named(site.host, crypto.randomUUID()))).json()).status).toBe("stored");
  await stopTest(db(), site.id, started.id, new Date());
  await run;
  expect(await readTest(db(), site.id, started.id, new Date())).toMatchObject({ status: "stopped", event: null });
});

test("a test without an event expires at its deadline, even if its process died", async () => {
  const site = await paged(page);
  const clock = { at: new Date() };
  const { run, read, until } = await start(site, { now: () => clock.at });
  const { expires_at } = await until("waiting");
  const over = new Date(expires_at);
  expect(await read(over)).toMatchObject({ status: "expired", running: false, ended_at: expires_at });
  clock.at = over;
  await run;
  const done = await read();
  expect([done.status, codes(done)]).toEqual(["expired", ["snippet_found", "no_browser", "event_missing"]]);
});

/** Sites that fail immediately, with the code of the finding. */
const FAULTY: [
  what: string,
  code: string,
  answer: RequestListener | ((host: string) => string),
  certificate?: string,
][] = [
  ["a page without the snippet", "snippet_missing", (_: string) => "<h1>Shop</h1>"],
  ["a page with another domain", "wrong_domain", (_: string) => page("other.example")],
  [
    "a page whose policy blocks it",
    "csp_script",
    (_request, response) => {
      const host = `${response.req.headers.host}`.split(":")[0] ?? "";
      response
        .setHeader("content-security-policy", "script-src 'self'")
        .setHeader("content-type", "text/html")
        .end(page(host));
    },
  ],
  ["a page that is not there", "page_error", (_request, response) => void response.writeHead(404).end()],
  ["an expired certificate", "page_unreachable", (host: string) => page(host), "expired"],
  [
    "a redirect to a private address",
    "page_unreachable",
    (_request, response) =>
      void response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end(),
  ],
  [
    "a redirect without end",
    "page_error",
    (_request, response) => void response.writeHead(302, { location: "/" }).end(),
  ],
];

test.each(FAULTY)("the test of %s fails immediately with %s and a fix", async (_, code, answer, certificate) => {
  const done = await ended(await paged(answer, certificate));
  expect([done.status, codes(done)]).toEqual(["failed", [code]]);
  expect(done.findings[0]?.fix).toMatch(/\.$|<\/script>$/);
});

test("five redirects are followed, and an endless page is read up to the limit", async () => {
  const chain = await paged((request, response) => {
    const at = Number(/^\/(\d)/.exec(request.url ?? "")?.[1] ?? 0);
    const host = `${request.headers.host}`.split(":")[0] ?? "";
    if (at < 5) response.writeHead(302, { location: `/${at + 1}` }).end();
    else response.setHeader("content-type", "text/html").end(page(host));
  });
  const redirected = await start(chain);
  expect((await redirected.until("waiting")).page?.url).toBe(`https://${chain.host}/5`);
  const block = " ".repeat(64 * 1024);
  const endless = await paged((request, response) => {
    const pour = () => {
      while (!response.destroyed && response.write(block));
      if (!response.destroyed) response.once("drain", pour);
    };
    response.setHeader("content-type", "text/html").write(page(`${request.headers.host}`.split(":")[0] ?? ""));
    pour();
  });
  const long = await start(endless);
  expect(codes(await long.until("waiting"))).toEqual(["snippet_found", "page_truncated"]);
  for (const [site, { started, run }] of [[chain, redirected] as const, [endless, long] as const]) {
    await stopTest(db(), site.id, started.id, new Date());
    await run;
  }
});

test("DNS rebinding to a private address is prevented: only the checked address is connected to", async () => {
  const site = await paged(page);
  set(site.host, { A: ["127.0.0.1"] }, { A: ["10.0.0.1"] });
  const { started, run, until } = await start(site);
  await until("waiting");
  expect(site.server.connections()).toBe(1);
  await stopTest(db(), site.id, started.id, new Date());
  await run;
});
