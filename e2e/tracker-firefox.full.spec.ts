import { FIREFOX, startFirefox } from "./support/firefox";
import { expect, test } from "./support/fixtures";

/** The full tracker in Firefox. */

interface Stored {
  type: number;
  path: string;
  name: string | null;
  props: Record<string, number> | null;
}

test.skip(!FIREFOX, "Firefox is not installed.");

test("in Firefox pages, routes, a hidden tab, outbound links and supported web vitals are counted", async ({
  shop,
  web,
  server,
}) => {
  web.install(shop.host, shop.snippet.replace("script.js", "script.full.js"));
  const firefox = await startFirefox(FIREFOX ?? "", [shop.host, "elsewhere.example"]);
  const stored = () =>
    server.query<Stored>(
      `SELECT event.type, page.path, name.name, event.props FROM facts.event
       JOIN facts.page ON page.site_id = event.site_id AND page.id = event.page
       LEFT JOIN facts.name ON name.site_id = event.site_id AND name.id = event.name
       WHERE event.site_id = $1 ORDER BY event.ts`,
      [shop.siteId],
    );
  const expectStored = (type: number, path: string, times = 1) =>
    expect
      .poll(async () => (await stored()).filter((one) => one.type === type && one.path === path).length)
      .toBe(times);
  try {
    await firefox.open(web.url(shop.host));
    await expectStored(1, "/");
    await firefox.click("a[href='/products']");
    await expectStored(1, "/products");
    // Sent by the previous page when it was left.
    await expectStored(4, "/");
    await expectStored(9, "/");

    await firefox.open(web.url(shop.host, "/app"));
    await expectStored(1, "/app");
    await firefox.click("button:nth-of-type(1)");
    await expectStored(1, "/app/prices");
    await firefox.hide(() => expectStored(4, "/app/prices"));

    await firefox.open(web.url(shop.host, `/?to=${web.url("elsewhere.example")}`));
    await expectStored(1, "/", 2);
    await firefox.click("a:last-of-type");
    await expect.poll(async () => (await stored()).map(({ name }) => name)).toContain("Outbound Link: Click");

    const vitals = (await stored()).find(({ type, path }) => type === 9 && path === "/")?.props;
    expect(vitals).toMatchObject({ view: expect.any(Number), fcp: expect.any(Number), ttfb: expect.any(Number) });
    const [visit, ...others] = await server.query(
      `SELECT visit.pageviews, agent.browser, verdict.reason FROM facts.visit
       JOIN facts.agent ON agent.site_id = visit.site_id AND agent.id = visit.agent
       JOIN facts.verdict ON verdict.site_id = visit.site_id AND verdict.id = visit.verdict
       WHERE visit.site_id = $1`,
      [shop.siteId],
    );
    expect(others).toEqual([]);
    expect(visit).toEqual({ pageviews: 5, browser: "Firefox", reason: "automated" });
  } finally {
    await firefox.stop();
  }
});
