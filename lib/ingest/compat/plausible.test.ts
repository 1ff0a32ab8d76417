import { expect, test } from "vitest";
import { flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { postTo } from "@/lib/testing/foreign";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, type TestSite } from "@/lib/testing/world";

const AT = "2025-03-04T12:00:00Z";
const post = (body: unknown) => postTo("/api/event", body, { at: AT });
const eventsOf = (site: TestSite) =>
  rowsOf<Record<string, unknown>[]>`
    SELECT event.type, name.name, hostname, path, event.props, revenue::text AS revenue, currency, engagement_ms, scroll, campaign.source AS utm
    FROM facts.event AS event
    LEFT JOIN facts.name AS name ON name.site_id = event.site_id AND name.id = event.name
    LEFT JOIN facts.page AS page ON page.site_id = event.site_id AND page.id = event.page
    LEFT JOIN facts.campaign AS campaign ON campaign.site_id = event.site_id AND campaign.id = event.campaign
    WHERE event.site_id = ${site.id} ORDER BY event.seq`;

test("an event in Plausible's short names is the same event as in ours", async () => {
  const site = await makeSite();
  const u = `https://${site.host}/pricing`;
  const sent = [
    { n: "pageview", u, d: site.host, r: null, v: 36 },
    { n: "Signup", u, d: site.host, r: "https://www.google.com/", p: { plan: "pro" }, i: false, w: 1280, h: 0 },
    { n: "Order", u, d: site.host, p: JSON.stringify({ plan: "pro" }), $: { amount: "49.90", currency: "EUR" } },
    { n: "engagement", u, d: site.host, p: null, e: 12_345, sd: 73, v: 36 },
    { n: "engagement", u, d: site.host, e: 1000, sd: 255 },
    { n: "Tagged", u, d: site.host, $: {} },
  ];
  for (const event of sent) expect(await post(event)).toMatchObject({ status: 202, body: { status: "stored" } });
  expect(await eventsOf(site)).toMatchObject([
    { name: null, path: "/pricing" },
    { name: "Signup", props: { plan: "pro" } },
    { name: "Order", props: { plan: "pro" }, revenue: "49.90", currency: "EUR" },
    { engagement_ms: 12_345, scroll: 73 },
    { engagement_ms: 1000, scroll: null },
    { name: "Tagged", revenue: null },
  ]);
});

test("the page of an app and the route in a hash are pages of the site", async () => {
  const site = await makeSite();
  const sent = [
    { name: "pageview", url: "app://localhost/dashboard?utm_source=push", domain: site.host, props: null },
    { n: "pageview", u: `https://${site.host}/app#/users/7?tab=1`, d: site.host, h: 1 },
    { n: "pageview", u: `https://${site.host}/app#secret`, d: site.host },
  ];
  for (const event of sent) expect((await post(event)).status).toBe(202);
  expect(await eventsOf(site)).toMatchObject([
    { hostname: site.host, path: "/dashboard", utm: "push" },
    { path: "/app/users/7" },
    { path: "/app" },
  ]);
});

test("an event of several domains counts in each site, or in none if one refuses it", async () => {
  const [one, two] = await Promise.all([makeSite(), makeSite()]);
  const both = `${one.host}, ${two.host}`;
  expect(await post({ name: "Signup", domain: both })).toMatchObject({ status: 202, body: { status: "stored" } });
  expect([await eventsOf(one), await eventsOf(two)].map((events) => events.length)).toEqual([1, 1]);
  const onOne = { n: "pageview", u: `https://${one.host}/`, d: both };
  expect(await post(onOne)).toMatchObject({
    status: 400,
    body: { errors: { url: [expect.stringContaining(two.host)] } },
  });
  expect((await post({ name: "Signup", domain: `${one.host},unknown.example` })).status).toBe(422);
  expect([await eventsOf(one), await eventsOf(two)].map((events) => events.length)).toEqual([1, 1]);
  await flushIngestStats();
  const refused = await rowsOf<{ site_id: number }[]>`
    SELECT site_id FROM facts.intake WHERE site_id IN (${one.id}, ${two.id}) AND outcome = 'refused' AND reason = 'invalid_input:url'`;
  expect(refused.map(({ site_id }) => site_id).sort()).toEqual([one.id, two.id].sort());
});

test("an event without a domain is about the site of its page, and one of an unknown domain is counted there", async () => {
  const site = await makeSite();
  const page = { n: "pageview", u: `https://www.${site.host}/` };
  expect(await post(page)).toMatchObject({ status: 202, body: { status: "stored" } });
  const unknown = `typo-${site.host}`;
  for (const event of [
    { ...page, d: unknown },
    { name: "pageview", url: page.u, domain: unknown },
  ])
    expect((await post(event)).body.error.details.issues).toEqual([
      { path: "domain", message: expect.stringContaining("add the site first") },
    ]);
  await flushIngestStats();
  const counts = rowsOf`SELECT reason, events::int FROM facts.intake WHERE site_id = ${site.id} AND outcome = 'refused'`;
  expect(await counts).toEqual([{ reason: "invalid_input:domain", events: 2 }]);
});

test("a refusal of an event in short names has each field by the name that Plausible's own errors have", async () => {
  const { host } = await makeSite();
  const u = `https://${host}/`;
  const deep = JSON.parse(`${"[".repeat(20)}${"]".repeat(20)}`);
  const cases: [sent: object, field: RegExp][] = [
    [{ n: "a\ud800", u, d: host }, /^name$/],
    [{ n: "Buy", u, d: host, p: { deep } }, /^props\./],
    [{ n: "Buy", u, d: host, $: { amount: 1e300, currency: "EUR" } }, /^revenue\.amount$/],
    [{ n: "pageview", u: "https://a\ud800/", d: host }, /^url$/],
  ];
  for (const [sent, field] of cases) {
    const { status, body } = await post(sent);
    const fields = Object.keys((body as { errors: object }).errors);
    expect([status, fields]).toEqual([400, [expect.stringMatching(field)]]);
  }
});

test("a hostile event of a Plausible client is refused with 400 and the field, and never stored or a server error", async () => {
  const site = await makeSite();
  const ok = { n: "Signup", u: `https://${site.host}/`, d: site.host };
  const hostile: [object, string][] = [
    [{ ...ok, n: {} }, "name"],
    [{ ...ok, n: undefined }, "name"],
    [{ ...ok, d: [] }, "domain"],
    [{ ...ok, d: "unknown.example" }, "domain"],
    [{ ...ok, d: Array.from({ length: 11 }, (_, i) => `${i}.example`).join() }, "domain"],
    [{ ...ok, d: "," }, "domain"],
    [{ ...ok, u: "javascript://x/%0aalert(1)" }, "url"],
    [{ ...ok, u: 7 }, "url"],
    [{ ...ok, u: "https://evil.example/" }, "url"],
    [{ ...ok, p: "no json" }, "props"],
    [{ ...ok, p: "[1]" }, "props"],
    [{ ...ok, p: { nested: { a: 1 } } }, "props.nested"],
    [{ ...ok, p: JSON.stringify({ a: "\0" }) }, "props.a"],
    [{ ...ok, $: { amount: "much", currency: "EUR" } }, "revenue.amount"],
    [{ ...ok, $: { amount: 1, currency: "ZZZ" } }, "revenue.currency"],
    [{ ...ok, $: "text" }, "revenue"],
    [{ ...ok, i: "no" }, "interactive"],
    [{ ...ok, n: "engagement", e: "long" }, "engagement.ms"],
    [{ ...ok, w: {} }, "screen"],
  ];
  for (const [event, field] of hostile) {
    const { status, body } = await post(event);
    expect([status, Object.keys(body.errors ?? {})], JSON.stringify(event)).toEqual([400, [field]]);
    expect(body.error.code).toBe("invalid_input");
  }
  expect(await eventsOf(site)).toEqual([]);
});
