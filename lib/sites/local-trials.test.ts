import { test as concurrent, expect } from "vitest";
import { env, readEnv, setEnv } from "@/lib/platform/env";
import { reachWarning } from "@/lib/sites/local-trials";
import { CALL_TIME, call, refused } from "@/lib/testing/calls";
import { makePerson, makeSite, post, send, type TestSite } from "@/lib/testing/world";

/** Sequential, because one of them changes BASE_URL for the process. */
const test = concurrent.sequential;

const create = async (personId: number, domain: string): Promise<{ site_id: number; domain: string }> =>
  call(personId, "sites.create", { domain, timezone: "UTC", public: false });
const add = (site: TestSite, domain: string) => call(site.ownerId, "sites.domains.add", { site_id: site.id, domain });

test("localhost, 127.0.0.1 and names below localhost can be tried on this machine, on any port", async () => {
  const personId = await makePerson();
  for (const [typed, host, url] of [
    ["http://localhost:5173", "localhost", "http://localhost:5173/shop"],
    ["127.0.0.1:8000", "127.0.0.1", "http://127.0.0.1:8000/shop"],
    ["Shop.localhost", "shop.localhost", "http://shop.localhost/shop"],
  ] as const) {
    const site = await create(personId, typed);
    expect(site.domain).toBe(host);
    const from = (origin: string) => ({ at: CALL_TIME, headers: { origin } });
    await send({ host }, { name: "pageview", url }, from(new URL(url).origin));
    await send({ host }, { name: "pageview", url: `http://${host}:4000/shop` }, from(`http://${host}:4000`));
    const other = await post({ host }, { name: "pageview", url }, from("https://elsewhere.example"));
    expect(other.status).toBe(422);
    const overview = await call(personId, "analytics.overview", {
      site_id: site.site_id,
      period: "today",
      traffic: "all",
    });
    expect(overview.metrics.pageviews).toBe(2);
    expect(overview.page_hosts).toEqual([{ path: "/shop", hostname: host, hosts: 1 }]);

    const { verified, domains } = await call(personId, "sites.verify", { site_id: site.site_id });
    expect([verified, domains]).toMatchObject([false, [{ domain: host, standing: "local", tried: [] }]]);
    const started = await refused(call(personId, "sites.installation.tests.start", { site_id: site.site_id }));
    expect(started).toMatchObject({ code: "invalid_input", details: { issues: [{ path: "site_id" }] } });
  }
});

test("a name that is tried by one site leaves others free, and cannot be taken over", async () => {
  const [first, second] = [await makeSite(), await makeSite()];
  const name = `${first.host.split(".")[0]}.localhost`;
  await add(first, name);
  const refusal = await refused(add(second, name));
  expect(refusal).toMatchObject({ code: "domain_taken", details: { issues: [{ path: "domain" }] } });
  expect(refusal?.message).toContain("shop.localhost");
  expect(refusal?.details).not.toHaveProperty("prove");
  expect(await call(second.ownerId, "sites.verify", { site_id: second.id })).toMatchObject({
    domains: [{ domain: second.host }],
  });
  await add(second, `other.${name}`);
});

test("a server with a public address refuses local trials and says why", async () => {
  const local = env();
  const site = await makeSite();
  try {
    setEnv({ ...withoutBaseUrl(), BASE_URL: "https://stats.example.com" });
    for (const domain of ["localhost:3000", "127.0.0.1", "a.localhost"]) {
      expect(await refused(add(site, domain)), domain).toMatchObject({
        code: "invalid_input",
        details: { issues: [{ path: "domain", message: expect.stringContaining("https://stats.example.com") }] },
      });
    }
  } finally {
    setEnv({ ...withoutBaseUrl(), BASE_URL: local.BASE_URL });
  }
});

/** The variables of this process, as `lib/testing/setup.ts` sets them. */
const withoutBaseUrl = () => {
  const { NODE_ENV, DATABASE_URL, APP_SECRETS } = env();
  return { NODE_ENV, DATABASE_URL, APP_SECRETS };
};

test("a snippet warns while visitors cannot reach the server, and only then", async () => {
  const address = (source: Record<string, string>) => readEnv({ ...withoutBaseUrl(), ...source }).BASE_URL;
  for (const baseUrl of [address({}), "http://127.0.0.1:8000", "http://[::1]:3000", "http://stats.localhost"]) {
    expect(reachWarning(baseUrl, "shop.example")).toContain(baseUrl);
    expect(reachWarning(baseUrl, "localhost")).toBeNull();
  }
  for (const baseUrl of ["https://stats.example.com", "http://localhost.example.com", "http://192.168.0.10:3000"])
    expect(reachWarning(baseUrl, "shop.example")).toBeNull();
  const site = await makeSite();
  const guide = await call(site.ownerId, "sites.installation", { site_id: site.id });
  expect(guide.warning).toContain(env().BASE_URL);
  expect(JSON.stringify([guide.steps, guide.notes])).not.toMatch(/sites\.[a-z]/);
});
