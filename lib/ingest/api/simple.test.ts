import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { readQuota } from "@/lib/ingest/site/limits";
import { flushIngestStats, usedThisMonth } from "@/lib/ingest/store/ingest-stats";
import { db } from "@/lib/platform/db";
import { setEnv } from "@/lib/platform/env";
import { keyOf } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, makePerson, makeSite, post, postRaw, send, type TestSite } from "@/lib/testing/world";

const eventsOf = (site: TestSite) =>
  rowsOf<{ type: number; name: string | null; path: string | null; traffic: number; props: unknown }[]>`
    SELECT type, name.name, path, traffic, props FROM facts.event e
    LEFT JOIN facts.name name ON name.site_id = e.site_id AND name.id = e.name
    LEFT JOIN facts.page page ON page.site_id = e.site_id AND page.id = e.page
    WHERE e.site_id = ${site.id} ORDER BY seq`;

const body = (site: { host: string }, more: object) => ({ domain: site.host, name: "Signup", ...more });

/** Expects a refusal with this status, code and first path, in the common error format. */
async function expectRefused(response: Response, status: number, code: string, path?: string) {
  const body = await response.json();
  expect([response.status, body.error?.code], JSON.stringify(body)).toEqual([status, code]);
  expect(body.request_id).toBe(response.headers.get("x-request-id"));
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  if (path !== undefined) expect(body.error.details.issues[0].path).toBe(path);
}

test("a path that starts with two slashes is a path, not another host", async () => {
  const site = await makeSite();
  for (const path of ["//", "//[", "/\\", "//a b/x", "//evil.example/x"]) {
    expect((await post(site, { name: "pageview", path })).status, path).toBe(202);
  }
  const pages = await rowsOf<{ path: string }[]>`SELECT path FROM facts.page WHERE site_id = ${site.id}`;
  expect(pages.map((page) => page.path)).toContain("//evil.example/x");
});

test("a stored event returns 202 with its id, and only after it can be read", async () => {
  const site = await makeSite();
  const response = await post(site, { name: "Signup", props: { plan: "pro", seats: 3, trial: true, note: null } });
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({
    status: "stored",
    event_id: expect.stringMatching(/^[A-Za-z0-9_-]{12,32}$/),
    class: "human",
    request_id: response.headers.get("x-request-id"),
  });
  expect(await eventsOf(site)).toMatchObject([
    { name: "Signup", props: { plan: "pro", seats: 3, trial: true, note: null } },
  ]);
});

test("case 4: a body that is not JSON, empty, truncated or starts with a byte order mark returns 400 malformed_json", async () => {
  for (const text of ["", "{", "nonsense", '{"a":NaN}', '\uFEFF{"domain":"a.example"}']) {
    await expectRefused(await postRaw(text), 400, "malformed_json");
  }
  await expectRefused(await postRaw(new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d])), 400, "malformed_json");
  await expectRefused(await postRaw(new TextEncoder().encode('{"name":"é').slice(0, -1)), 400, "malformed_json");
});

test("case 5: a body that is not an object or has missing fields returns 422 with the field", async () => {
  const site = await makeSite();
  await expectRefused(await postRaw("[]"), 422, "invalid_input");
  await expectRefused(await postRaw("null"), 422, "invalid_input");
  await expectRefused(await postRaw("{}"), 422, "invalid_input", "domain");
  await expectRefused(await postRaw(JSON.stringify({ domain: site.host })), 422, "invalid_input", "name");
  await expectRefused(await post(site, { name: "pageview" }), 422, "invalid_input", "url");
  await expectRefused(await post(site, { name: "engagement" }), 422, "invalid_input", "engagement");
  await expectRefused(await post(site, { name: "v", vitals: { lcp: 1e6 } }), 422, "invalid_input", "vitals.lcp");
  await expectRefused(await post(site, { name: "v", vitals: {} }), 422, "invalid_input", "vitals");
  await expectRefused(await post(site, { name: "x", type: "exposure" }), 422, "invalid_input", "exposure");
});

test("case 13: U+0000 and lone surrogates, in values and in names, return 422 and never 500", async () => {
  const site = await makeSite();
  const sent = (text: string) => postRaw(`{"domain":"${site.host}","name":"Signup",${text}}`);
  await expectRefused(await sent('"title":"a\\u0000b"'), 422, "invalid_input", "title");
  await expectRefused(await sent('"referrer":"\\ud800"'), 422, "invalid_input", "referrer");
  await expectRefused(await sent('"props":{"a":"\\udc00 tail"}'), 422, "invalid_input", "props.a");
  await expectRefused(await sent('"props":{"k\\u0000":1}'), 422, "invalid_input", "props");
  await expectRefused(await sent('"ignored":["\\u0000"]'), 422, "invalid_input", "ignored.0");
});

test("case 11: 70 KB returns 413, with and without a Content-Length", async () => {
  const site = await makeSite();
  const large = JSON.stringify(body(site, { title: "x".repeat(70_000) }));
  await expectRefused(
    await postRaw(large, { headers: { "content-length": `${large.length}` } }),
    413,
    "payload_too_large",
  );
  await expectRefused(await postRaw(large), 413, "payload_too_large");
  await expectRefused(
    await postRaw("x".repeat(70_000), { headers: { "content-length": "12" } }),
    413,
    "payload_too_large",
  );
});

test("case 14: a nesting depth of 200,000 returns 413 or 422 without a stack overflow", async () => {
  const site = await makeSite();
  const nested = (depth: number) =>
    `{"domain":"${site.host}","name":"a","props":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  await expectRefused(await postRaw(nested(200_000)), 413, "payload_too_large");
  await expectRefused(await postRaw(nested(30_000)), 422, "invalid_input");
});

test("case 15: __proto__, constructor and toString are plain property names", async () => {
  const site = await makeSite();
  const response = await postRaw(
    `{"domain":"${site.host}","name":"Odd","__proto__":{"name":"x"},"props":{"__proto__":"p","constructor":"c","toString":1}}`,
  );
  expect(response.status).toBe(202);
  const props = (await eventsOf(site))[0]?.props as object;
  expect(Object.entries(props).sort()).toEqual([
    ["__proto__", "p"],
    ["constructor", "c"],
    ["toString", 1],
  ]);
  expect({}.constructor).toBe(Object);
});

test("case 16: numbers that would lose precision are refused", async () => {
  const site = await makeSite();
  const sent = (number: string) => postRaw(`{"domain":"${site.host}","name":"a","props":{"n":${number}}}`);
  for (const number of ["1e400", "-1e999", "12345678901234567890"]) {
    await expectRefused(await sent(number), 422, "invalid_input", "props.n");
  }
  expect((await sent("-0")).status).toBe(202);
});

test("case 30: props that are text, a list, nested, too many or too long return 422", async () => {
  const site = await makeSite();
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i]));
  await expectRefused(await post(site, { name: "a", props: "x" }), 422, "invalid_input", "props");
  await expectRefused(await post(site, { name: "a", props: ["x"] }), 422, "invalid_input", "props");
  await expectRefused(await post(site, { name: "a", props: { b: { c: 1 } } }), 422, "invalid_input", "props.b");
  await expectRefused(await post(site, { name: "a", props: many }), 422, "invalid_input", "props");
  await expectRefused(await post(site, { name: "a", props: { b: "x".repeat(2001) } }), 422, "invalid_input", "props.b");
});

test("a pageview whose title was cut within a character is stored with the rest of the title", async () => {
  const site = await makeSite();
  const body = `{"domain":"${site.host}","name":"pageview","url":"https://${site.host}/","title":"Tea \\ud83c"}`;
  expect((await postRaw(body)).status).toBe(202);
  const pages = await rowsOf<{ title: string }[]>`SELECT title FROM facts.page WHERE site_id = ${site.id}`;
  expect(pages).toEqual([{ title: "Tea \ufffd" }]);
});

test("a name without visible characters returns 422", async () => {
  const site = await makeSite();
  for (const name of ["", " ", "\n", "\u202e", "\u200b"]) {
    const { error } = await (await post(site, { name })).json();
    const message = "must be the event's name, such as pageview or Signup";
    expect(error.details.issues).toEqual([{ path: "name", message: message }]);
  }
});

test("revenue in an unknown currency returns 422", async () => {
  const site = await makeSite();
  for (const currency of ["QQQ", "€", "EURO", "", 978]) {
    const event = { name: "Purchase", revenue: { amount: "5", currency } };
    const response = await post(site, event);
    const { error } = await response.json();
    const message = "must be an ISO 4217 currency code of three letters, such as EUR";
    expect([response.status, error.details.issues]).toEqual([422, [{ path: "revenue.currency", message: message }]]);
  }
});

test("the response to an event with thousands of issues is smaller than the event", async () => {
  const site = await makeSite();
  const props = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${i}_`, {}]));
  const response = await post(site, { name: "a", props });
  const { error } = await response.json();
  expect([response.status, error.details.issues]).toEqual([
    422,
    [{ path: "props", message: "has 5000 properties; send at most 50" }],
  ]);
  const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, {}]));
  const listed = (await (await post(site, { name: "a", props: fifty })).json()).error;
  expect(listed.details.issues).toHaveLength(20);
  expect(listed.message).toContain("(and 49 more");
});

test("invalid events are rate limited like valid ones, with a site, without one and without JSON", async () => {
  const site = await makeSite();
  const [last, at] = [300, "2025-03-04T12:00:00Z"];
  const bodies = [
    JSON.stringify({ domain: site.host, name: "pageview" }),
    JSON.stringify({ domain: `nobody-${site.host}`, name: "pageview" }),
    JSON.stringify({ name: "a" }),
    "{",
  ];
  for (const [i, text] of bodies.entries()) {
    const address = `198.51.${100 + i}.77`;
    const seen = new Map<number, number>();
    for (let sent = 0; sent < 1_000 + last; sent++) {
      const { status } = await postRaw(text, { at, address });
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
    expect(seen.get(429), text).toBeGreaterThanOrEqual(last);
    expect((await post(site, { name: "a" }, { at, address: `203.0.113.${i}` })).status).toBe(202);
  }
});

test("case 26: an unknown domain returns 422; www, capitals, a trailing dot and a scheme all match the site", async () => {
  const site = await makeSite();
  await expectRefused(await post({ host: "nobody.example" }, { name: "a" }), 422, "invalid_input", "domain");
  await expectRefused(await post({ host: "192.0.2.9" }, { name: "a" }), 422, "invalid_input", "domain");
  for (const domain of [`www.${site.host}`, site.host.toUpperCase(), `${site.host}.`, `https://${site.host}/x`]) {
    expect((await post({ host: domain }, { name: "a" })).status, domain).toBe(202);
  }
});

test("events for a site that was just deleted are refused, never a 500", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-04T12:00:00Z" });
  await db().site.delete({ where: { id: site.id } });
  await expectRefused(await post(site, "/", { at: "2025-03-05T12:00:00Z" }), 422, "invalid_input", "domain");
});

test("case 27: a URL that is relative, javascript, not http, too long or on another host returns 422; a subdomain belongs to the site", async () => {
  const site = await makeSite();
  const view = (url: string) => post(site, { name: "pageview", url });
  for (const url of [
    "javascript:alert(1)",
    `javascript://${site.host}/%0Aalert(1)`,
    `ftp://${site.host}/`,
    "/relative",
    `https://${site.host}/${"x".repeat(10_000)}`,
    "https://foreign.example/",
    "",
    `https://evil${site.host}/`,
    `https://${"a.".repeat(1_500)}${site.host}/`,
  ]) {
    await expectRefused(await view(url), 422, "invalid_input", "url");
  }
  for (const url of [`https://www.${site.host}/`, `https://blog.${site.host}:8443/a`, `http://${site.host}./`]) {
    expect((await view(url)).status, url).toBe(202);
  }
});

test("case 25: a page of another origin, or a sandboxed one, cannot send events for the site", async () => {
  const site = await makeSite();
  const from = (origin: string) => post(site, { name: "a" }, { headers: { origin } });
  await expectRefused(await from("https://foreign.example"), 422, "invalid_input", "Origin");
  await expectRefused(await from("null"), 422, "invalid_input", "Origin");
  expect((await from(`https://${site.host}`)).status).toBe(202);
});

test("case 12: another content type or any compression returns 415; text/plain from sendBeacon is accepted", async () => {
  const site = await makeSite();
  const text = JSON.stringify(body(site, {}));
  for (const type of ["application/x-www-form-urlencoded", "text/html", ""]) {
    await expectRefused(await postRaw(text, { headers: { "content-type": type } }), 415, "unsupported_media_type");
  }
  for (const coding of ["gzip", "GZIP", "br", "deflate", "gzip, identity"]) {
    await expectRefused(
      await postRaw(text, { headers: { "content-encoding": coding } }),
      415,
      "unsupported_media_type",
    );
  }
  expect((await postRaw(text, { headers: { "content-type": "text/plain;charset=UTF-8" } })).status).toBe(202);
});

test("cases 8 and 10: an event id is stored once, in parallel and later; another site may use it too", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const event = { name: "Signup", event_id: "order-0123456789" };
  const answers = await Promise.all(Array.from({ length: 20 }, async () => (await post(site, event)).json()));
  expect(answers.map((body) => body.status).sort()).toEqual([...Array(19).fill("duplicate"), "stored"]);
  expect(await (await post(site, event)).json()).toMatchObject({ status: "duplicate", event_id: event.event_id });
  expect(await (await post(other, event)).json()).toMatchObject({ status: "stored" });
  expect(await eventsOf(site)).toHaveLength(1);
});

test("case 9: an event id of 11 or 33 characters or with a slash returns 422", async () => {
  const site = await makeSite();
  for (const event_id of [
    "a".repeat(11),
    "a".repeat(33),
    "abcdefghijk/",
    "abcdefghijk+",
    "abcdefghijkü",
    123456789012,
  ]) {
    await expectRefused(await post(site, { name: "a", event_id }), 422, "invalid_input", "event_id");
  }
});

test("a referrer with a very long host is clipped, not refused", async () => {
  const site = await makeSite();
  const referrer = `https://${"a.".repeat(1_800)}example.org/`;
  await send(site, { name: "pageview", url: `https://${site.host}/`, referrer });
});

test("different spellings of a path are one page", async () => {
  const site = await makeSite();
  await send(site, { name: "pageview", path: "/café#y" });
  await send(site, { name: "pageview", url: `https://${site.host}/caf%C3%A9` });
  expect(new Set((await eventsOf(site)).map((event) => event.path))).toEqual(new Set(["/caf%C3%A9"]));
});

test("case 28: bots and referrer spam return 202 and are stored in their own classes, never as human", async () => {
  const site = await makeSite();
  const spam = { name: "pageview", url: `https://${site.host}/`, referrer: "https://semalt.com/" };
  await send(site, "/", { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" });
  await send(site, spam, { address: "203.0.113.8" });
  await send(site, "/", { address: "203.0.113.9" });
  const visits = await rowsOf`
    SELECT traffic, count(*)::int AS visits FROM facts.visit WHERE site_id = ${site.id} GROUP BY 1 ORDER BY 1`;
  expect(visits).toEqual([
    { traffic: TRAFFIC_CLASSES.human, visits: 1 },
    { traffic: TRAFFIC_CLASSES.bot, visits: 1 },
    { traffic: TRAFFIC_CLASSES.spam, visits: 1 },
  ]);
});

test("a bot is stored as a bot, and a headless browser as suspicious", async () => {
  const site = await makeSite();
  await send(site, "/", { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" });
  await send(site, "/", { userAgent: CHROME.replace("Chrome", "HeadlessChrome") });
  await send(site, "/", { userAgent: "curl/8.5.0", headers: { origin: `https://${site.host}` } });
  await send(site, "/", { userAgent: CHROME });
  expect((await eventsOf(site)).map((event) => event.traffic)).toEqual([2, 5, 2, 1]);
});

test("an event with Sec-GPC is filtered and only counted in the event outcomes", async () => {
  const site = await makeSite();
  const response = await post(site, "/", { headers: { "sec-gpc": "1" } });
  expect(await response.json()).toMatchObject({ status: "filtered", reason: "gpc" });
  expect(await eventsOf(site)).toEqual([]);
  await flushIngestStats();
  const counts = await rowsOf`SELECT outcome, reason, events::int FROM facts.intake WHERE site_id = ${site.id}`;
  expect(counts).toEqual([{ outcome: "filtered", reason: "gpc", events: 1 }]);
});

test("an invalid event is counted for its site by field, and never by names from the request", async () => {
  const site = await makeSite();
  const at = "2025-03-04T12:00:00Z";
  const odd = randomUUID();
  await post(site, { name: 7 }, { at });
  await post({ host: `www.${site.host}` }, { name: "a", props: { [odd]: { [odd]: 1 } } }, { at });
  await post(site, { name: "a", [odd]: "\u0000" }, { at });
  await post(site, { name: "a", url: "https://foreign.example/" }, { at });
  await post(site, { name: "a" }, { at, headers: { origin: "https://foreign.example" } });
  await post({ host: "nobody.example" }, { name: 7 }, { at });
  await postRaw("null", { at });
  await flushIngestStats();
  const counts = await rowsOf`
    SELECT reason, events::int FROM facts.intake WHERE site_id = ${site.id} AND outcome = 'refused' AND day = ${at}::date
    ORDER BY reason`;
  expect(counts).toEqual([
    { reason: "invalid_input", events: 1 },
    { reason: "invalid_input:Origin", events: 1 },
    { reason: "invalid_input:name", events: 1 },
    { reason: "invalid_input:props", events: 1 },
    { reason: "invalid_input:url", events: 1 },
  ]);
});

test("invalid events for unknown domains are limited like valid ones, so they cannot load the database", async () => {
  const at = "2025-03-04T12:00:00Z";
  const address = "192.0.2.177";
  const bad = () => postRaw(JSON.stringify({ domain: `${randomUUID()}.example`, name: 7 }), { at, address });
  const flood = await Promise.all(Array.from({ length: 1_000 }, bad));
  expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([422]));
  // The limit of guesses is reached.
  await expectRefused(await bad(), 429, "rate_limited");
  await expectRefused(
    await post({ host: `${randomUUID()}.example` }, { name: "a" }, { at, address }),
    429,
    "rate_limited",
  );
});

test("an address that floods a site gets 429 with Retry-After, and other addresses and sites do not", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const at = "2025-03-04T12:00:00Z";
  const flood = await Promise.all(
    Array.from({ length: 1001 }, () => post(site, { name: "a", interactive: false }, { at })),
  );
  expect(flood.filter((response) => response.status === 202)).toHaveLength(1000);
  const refused = flood.find((response) => response.status !== 202) as Response;
  expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  await expectRefused(refused, 429, "rate_limited");
  await send(site, { name: "a" }, { at, address: "203.0.113.99" });
  await send(other, { name: "a" }, { at });
  await send(site, { name: "a" }, { at: "2025-03-04T12:00:01Z" });
});

test("the rate limit is checked before the Origin", async () => {
  const site = await makeSite();
  const at = "2025-03-04T12:00:00Z";
  const headers = { origin: "https://foreign.example" };
  const flood = await Promise.all(Array.from({ length: 1001 }, () => post(site, { name: "a" }, { at, headers })));
  expect(flood.filter(({ status }) => status === 422)).toHaveLength(1000);
  expect(flood.filter(({ status }) => status === 429)).toHaveLength(1);
});

test("an event without an id gets one, and sending it again with that id is a duplicate", async () => {
  const site = await makeSite();
  const { event_id } = await (await post(site, { name: "a" })).json();
  expect(await (await post(site, { name: "a", event_id })).json()).toMatchObject({ status: "duplicate", event_id });
});

/** Lets a site have stored this many events in a month. */
const countStored = (site: TestSite, day: string, events: number) =>
  db().$executeRaw`
    INSERT INTO facts.intake (site_id, day, outcome, reason, events) VALUES (${site.id}, ${day}::date, 'stored', '', ${events})`;

test.sequential("case 29: an exhausted monthly quota returns 429 until the first of the next month", async () => {
  const site = await makeSite();
  await countStored(site, "2025-03-04", 1_000_000);
  setEnv({ NODE_ENV: "test", EVENTS_PER_MONTH: "1000000" });
  try {
    const refused = await post(site, "/", { at: "2025-03-04T12:00:01Z" });
    expect(Number(refused.headers.get("retry-after"))).toBe(27.5 * 86_400 - 1);
    expect((await refused.clone().json()).error.message).toContain("again from 2025-04-01");
    await expectRefused(refused, 429, "quota_exceeded");
    await send(site, "/", { at: "2025-04-01T00:00:00Z" });
  } finally {
    setEnv({ NODE_ENV: "test" });
  }
});

test.sequential("a site without a proven domain has a default quota, whose refusal asks for the proof", async () => {
  const [unproven, proven] = [await makeSite(), await makeSite()];
  await db().siteDomain.updateMany({ where: { siteId: proven.id }, data: { verifiedAt: new Date() } });
  const at = "2025-03-04T12:00:01Z";
  for (const site of [unproven, proven]) await countStored(site, "2025-03-04", 1_000_000);
  const refused = await post(unproven, "/", { at });
  expect(refused.status).toBe(429);
  expect((await refused.clone().json()).error.message).toContain("prove one with sites.verify");
  await expectRefused(refused, 429, "quota_exceeded");
  expect((await post(proven, "/", { at })).status).toBe(202);
});

test.sequential("the default quota spares the administrator, services without sign-up, and UNPROVEN_EVENTS_PER_MONTH=unlimited", async () => {
  const administrator = await makePerson();
  await db().person.update({ where: { id: administrator }, data: { administrator: true } });
  const [own, other] = [await makeSite(), await makeSite()];
  await db().membership.create({ data: { siteId: own.id, personId: administrator, role: "owner" } });
  const quotaWith = async (variables: Record<string, string>, site: TestSite) => {
    setEnv({ NODE_ENV: "test", ...variables });
    const quota = await readQuota(site.id, new Date());
    return quota && [quota.events, quota.unproven];
  };
  try {
    expect(await quotaWith({}, other)).toEqual([1_000_000, true]);
    expect(await quotaWith({ UNPROVEN_EVENTS_PER_MONTH: "5" }, other)).toEqual([5, true]);
    expect(await quotaWith({ UNPROVEN_EVENTS_PER_MONTH: "5" }, own)).toBeNull();
    expect(await quotaWith({ SIGNUP: "invite" }, other)).toBeNull();
    expect(await quotaWith({ UNPROVEN_EVENTS_PER_MONTH: "unlimited" }, other)).toBeNull();
    expect(await quotaWith({ EVENTS_PER_MONTH: "7" }, other)).toEqual([7, false]);
    expect(await quotaWith({ EVENTS_PER_MONTH: "7", UNPROVEN_EVENTS_PER_MONTH: "5" }, own)).toEqual([7, false]);
  } finally {
    setEnv({ NODE_ENV: "test" });
  }
});

test("an event counts in the quota once for each started KB that is stored of it", async () => {
  const site = await makeSite();
  const now = new Date();
  const props = Object.fromEntries(["a", "b", "c", "d"].map((key) => [key, "é".repeat(970)]));
  expect((await post(site, { name: "small", props: { plan: "pro" } })).status).toBe(202);
  expect(await usedThisMonth(site.id, now)).toBe(1);
  expect((await post(site, { name: "large", props })).status).toBe(202);
  expect(await usedThisMonth(site.id, now)).toBe(1 + 8);
  await flushIngestStats();
  expect(await usedThisMonth(site.id, now)).toBe(1 + 8);
  const title = "x".repeat(1000);
  const referrer = `https://other.example/${"r".repeat(3000)}`;
  expect((await post(site, { name: "pageview", path: `/${"p".repeat(3000)}`, title, referrer })).status).toBe(202);
  expect(await usedThisMonth(site.id, now)).toBeGreaterThanOrEqual(1 + 8 + 4);
});

test("properties of more than 8 KiB of JSON return 422 naming them, and 8 KiB are stored", async () => {
  const site = await makeSite();
  const filled = (bytes: number, piece = "x") => {
    const props = { a: "", b: "", c: "", d: "", e: "", f: "", g: "", h: "", i: "" };
    let left = Math.floor((bytes - JSON.stringify(props).length) / Buffer.byteLength(piece));
    for (const key of Object.keys(props) as (keyof typeof props)[]) {
      props[key] = piece.repeat(Math.min(2000, left));
      left -= Math.min(2000, left);
    }
    return props;
  };
  expect((await post(site, { name: "a", props: filled(8192) })).status).toBe(202);
  for (const props of [filled(8193), filled(62_000), filled(9_000, "é"), filled(9_000, "\u{1f600}")]) {
    const refused = await post(site, { name: "a", props });
    expect(refused.status).toBe(422);
    expect((await refused.clone().json()).error.message).toContain("props has more than 8192 bytes of JSON");
    await expectRefused(refused, 422, "invalid_input", "props");
  }
});

test("cases 1, 2 and 3: a backend may send an ingest key; a key of another site, a revoked and an invented one return 401 and store nothing", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const [mine, foreign, revoked] = [await keyOf(site), await keyOf(other), await keyOf(site)];
  await db().ingestKey.update({ where: { id: revoked.key_id }, data: { revokedAt: new Date("2020-01-02T00:00:00Z") } });
  const sent = (key: string, more: Record<string, string> = {}) =>
    post(site, { name: "Order" }, { headers: { authorization: `Bearer ${key}`, ...more } });
  expect((await sent(mine.key)).status).toBe(202);
  for (const key of [foreign.key, revoked.key, `ffk_${"x".repeat(43)}`, "ffa_token"]) {
    const refused = await sent(key);
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="events", error="invalid_token"');
    await expectRefused(refused, 401, "invalid_token");
  }
  expect((await post(site, { name: "Order" }, { headers: { authorization: "Basic eDp5" } })).status).toBe(202);
  expect((await sent(foreign.key, { origin: `https://${site.host}` })).status).toBe(202);
  expect(await eventsOf(site)).toHaveLength(3);
});

test("a browser controlled by automation is suspicious, and pages may read Retry-After", async () => {
  const site = await makeSite();
  const page = { name: "pageview", path: "/" };
  await send(site, { ...page, automated: false }, { at: "2025-03-04T12:00:00Z" });
  const response = await post(site, { ...page, automated: true }, { at: "2025-03-04T12:40:00Z" });
  expect(response.headers.get("access-control-expose-headers")).toBe("retry-after");
  expect((await eventsOf(site)).map(({ traffic }) => traffic)).toEqual([
    TRAFFIC_CLASSES.human,
    TRAFFIC_CLASSES.suspicious,
  ]);
});
