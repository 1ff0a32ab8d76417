import { expect, test } from "vitest";
import { execute } from "@/lib/gateway/execute";
import seo from "@/lib/operations/analytics.seo";
import { asOwner } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:00Z";

const ask = async (site: TestSite, input: object = {}) =>
  (await execute(seo, asOwner(site, { period: "7d", ...input }, NOW))).data;

let people = 0;
async function visitFrom(site: TestSite, referrer: string, path: string, more: object[] = []) {
  people++;
  const sending = { at: "2025-03-11T09:00:00Z", address: `10.3.${people >> 8}.${people & 255}` };
  await send(site, { name: "pageview", url: `https://${site.host}${path}`, referrer }, sending);
  for (const event of more) await send(site, event, sending);
}

async function world(): Promise<TestSite> {
  const site = await makeSite();
  await visitFrom(site, "https://www.google.com/", "/a", [{ name: "Signup", path: "/a" }]);
  await visitFrom(site, "https://www.google.com/", "/a");
  await visitFrom(site, "https://www.bing.com/", "/b");
  await visitFrom(site, "https://chatgpt.com/", "/c");
  await visitFrom(site, "https://news.example/", "/d");
  return site;
}

test("search engines and assistants are listed by source and landing page, with bounces and conversions", async () => {
  const { organic, assistants, meta } = await ask(await world());
  expect(organic).toEqual({
    visitors: 3,
    visits: 3,
    bounce_rate: 2 / 3,
    conversions: 1,
    conversion_rate: 1 / 3,
    landing_pages: [
      {
        source: "Google",
        page: "/a",
        visitors: 2,
        visits: 2,
        bounce_rate: 0.5,
        conversions: 1,
        conversion_rate: 0.5,
      },
      {
        source: "Bing",
        page: "/b",
        visitors: 1,
        visits: 1,
        bounce_rate: 1,
        conversions: 0,
        conversion_rate: 0,
      },
    ],
  });
  expect(assistants.visits).toBe(1);
  expect(assistants.landing_pages).toMatchObject([{ source: "ChatGPT", page: "/c", visits: 1 }]);
  expect(meta).toMatchObject({ row_limit: 100, truncated: false });
});

test("a provider that is not connected has no queries, totals or unattributed numbers", async () => {
  const site = await world();
  const { providers } = await ask(site);
  expect(providers.map(({ provider, connected }) => [provider, connected])).toEqual([
    ["google", false],
    ["bing", false],
  ]);
  const nothing = { clicks: null, impressions: null, ctr: null, position: null };
  expect(providers[0]).toMatchObject({ fresh_until: null, queries: [], totals: nothing, unattributed: nothing });
  const bing = await ask(site, { provider: "bing" });
  expect(bing.providers.map(({ provider }) => provider)).toEqual(["bing"]);
  expect(bing.organic.landing_pages.map(({ page }) => page)).toEqual(["/b"]);
  expect(bing.assistants.visits).toBe(1);
});

test("a visit that converts after the range counts as converted", async () => {
  const site = await makeSite();
  const sending = { address: "10.3.9.9" };
  const page = { name: "pageview", url: `https://${site.host}/a`, referrer: "https://www.google.com/" };
  await send(site, page, { ...sending, at: "2025-03-10T23:50:00Z" });
  await send(site, { name: "Signup", path: "/a" }, { ...sending, at: "2025-03-11T00:10:00Z" });
  const { organic } = await ask(site, { period: null, from: "2025-03-10", to: "2025-03-10" });
  expect(organic).toMatchObject({ visits: 1, bounce_rate: 0, conversions: 1, conversion_rate: 1 });
});
