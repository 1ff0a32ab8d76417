import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { db } from "@/lib/platform/db";
import { setEnv } from "@/lib/platform/env";
import { BATCH_ENDPOINT, batchExample } from "@/lib/publish/open-measurement";
import { postBody, postEvents, SERVER_ADDRESS, siteWithKey } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, makeClient, makeSite, send, type TestSite } from "@/lib/testing/world";

const AT = "2025-03-04T12:00:00Z";

interface Stored {
  type: number;
  name: string | null;
  path: string | null;
  title: string | null;
  traffic: number;
  visitor: string;
  visit: string;
  revenue: string | null;
  currency: string | null;
  props: Record<string, unknown> | null;
}

const eventsOf = (site: TestSite) =>
  rowsOf<Stored[]>`
    SELECT type, name.name, path, title, traffic, visitor_id::text AS visitor, visit_id::text AS visit,
           revenue::text, currency, props FROM facts.event e
    LEFT JOIN facts.name name ON name.site_id = e.site_id AND name.id = e.name
    LEFT JOIN facts.page page ON page.site_id = e.site_id AND page.id = e.page
    WHERE e.site_id = ${site.id} ORDER BY seq`;

const event = (more: { [field: string]: unknown; event_id?: unknown } = {}) => ({
  type: "event",
  name: "Signup",
  ...more,
});

test("every event type is validated by its own schema and stored as its type", async () => {
  const { site, key } = await siteWithKey();
  const page = { url: `https://${site.host}/pricing?utm_source=news`, title: "Pricing" };
  const bought = { order_id: "o-1", value: "49.00", currency: "EUR", items: [{ product_id: "a", price: 49 }] };
  const { status, body } = await postEvents(
    [
      { type: "page", context: { page } },
      { type: "screen", name: "Check out" },
      event({ properties: { plan: "pro", tags: ["a", { b: 1 }] } }),
      { type: "identify", user_id: "u-1", properties: { plan: "pro" } },
      { type: "experiment", properties: { experiment: "hero", variant: "b", wave: 2 } },
      { type: "commerce", name: "purchase", properties: bought },
      { type: "commerce", name: "refund", properties: { order_id: "o-1", value: 9.5, currency: "EUR" } },
    ],
    { key, at: AT },
  );
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.counts).toEqual({ stored: 7, duplicate: 0, filtered: 0, invalid: 0, error: 0 });
  expect(body.results.map(({ index, status }) => [index, status])).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((i) => [i, "stored"]),
  );
  expect(await eventsOf(site)).toMatchObject([
    { type: 1, name: null, path: "/pricing", title: "Pricing", traffic: 1 },
    { type: 5, name: null, path: "/Check%20out", title: "Check out" },
    { type: 2, name: "Signup", props: { plan: "pro", tags: ["a", { b: 1 }] } },
    { type: 6, name: null, props: { plan: "pro" } },
    { type: 7, name: "hero", props: { variant: "b", wave: 2 } },
    { type: 8, name: "purchase", revenue: "49.00", currency: "EUR", props: { order_id: "o-1" } },
    { type: 8, name: "refund", revenue: "-9.5", currency: "EUR" },
  ]);
});

test("the example batch of the docs is stored", async () => {
  const { site, key } = await siteWithKey();
  const { status, body } = await postBody(JSON.stringify(batchExample(site.host)), { key });
  expect([status, body.counts.stored], JSON.stringify(body)).toEqual([200, 3]);
});

test("cases 1 and 3: no key, another scheme, an unknown key and a management token return 401 with WWW-Authenticate: Bearer", async () => {
  const site = await makeSite();
  const { token } = await makeClient({ scopes: ["sites:write"], sites: [site], personId: site.ownerId });
  const request = async (key: string | null, headers = {}) => {
    const answer = await postEvents([event()], { key, headers });
    return [answer.status, answer.body.error?.code, answer.headers.get("www-authenticate")];
  };
  const bare = [401, "unauthenticated", 'Bearer realm="events"'];
  const wrong = [401, "invalid_token", 'Bearer realm="events", error="invalid_token"'];
  expect(await request(null)).toEqual(bare);
  expect(await request(null, { authorization: "Basic YTpi" })).toEqual(bare);
  expect(await request(`ffk_${"x".repeat(43)}`)).toEqual(wrong);
  expect(await request("short")).toEqual(wrong);
  expect(await request(token)).toEqual(wrong);
  expect(await eventsOf(site)).toEqual([]);
});

test("an invalid event returns the documented example; its id is the sender's or null", async () => {
  const { site, key } = await siteWithKey();
  const otherSite = { type: "page", context: { page: { url: "https://elsewhere.example/" } } };
  const events = [
    { type: "event" },
    otherSite,
    { ...otherSite, event_id: "own-good-id-1" },
    event({ event_id: "short" }),
  ];
  const { body } = await postEvents(events, { key });
  expect(body.results.slice(0, 1)).toEqual(BATCH_ENDPOINT.answers[422]?.example.results);
  expect(body.results.map(({ status, event_id }) => [status, event_id])).toEqual(
    [null, null, "own-good-id-1", null].map((id) => ["invalid", id]),
  );
  expect(await eventsOf(site)).toEqual([]);
});

test("case 4: a body that is not JSON, empty, truncated, starts with a byte order mark or contains NaN returns 400 malformed_json", async () => {
  const { key } = await siteWithKey();
  const wrong = new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]);
  const cut = new TextEncoder().encode('{"events":[{"name":"é').slice(0, -1);
  for (const text of ["", "{", '{"events":[NaN]}', '\uFEFF{"events":[]}', wrong, cut]) {
    const { status, body } = await postBody(text, { key });
    expect([status, body.error?.code]).toEqual([400, "malformed_json"]);
  }
});

test("case 5: a list, a missing, wrong, empty or too long events list, and an unknown field return 422 and store nothing", async () => {
  const { site, key } = await siteWithKey();
  const many = Array.from({ length: 101 }, () => event());
  for (const body of [[], null, {}, { events: {} }, { events: [] }, { events: many }, { events: [event()], more: 1 }]) {
    const answer = await postBody(JSON.stringify(body), { key });
    expect([answer.status, answer.body.error?.code], JSON.stringify(body).slice(0, 40)).toEqual([422, "invalid_input"]);
    expect(answer.body.results).toBeUndefined();
  }
  expect(await eventsOf(site)).toEqual([]);
});

test("an event outside a batch returns that events is missing and how to wrap it", async () => {
  const { site, key } = await siteWithKey();
  for (const body of [event(), [event()], []]) {
    const answer = await postBody(JSON.stringify(body), { key });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({
      message: 'events is missing: wrap the event in {"events": [ … ]}.',
      details: { issues: [{ path: "events", message: 'is missing: wrap the event in {"events": [ … ]}' }] },
    });
  }
  expect(await eventsOf(site)).toEqual([]);
});

test("case 6: one invalid event among a hundred fails alone, and the order of results is kept", async () => {
  const { site, key } = await siteWithKey();
  const batch = Array.from({ length: 100 }, (_, i) =>
    event({ name: `n${i}`, event_id: `event-number-${i}`, ...(i === 41 ? { name: 7 } : {}) }),
  );
  const { status, body } = await postEvents(batch, { key });
  expect(status).toBe(207);
  expect(body.counts).toEqual({ stored: 99, duplicate: 0, filtered: 0, invalid: 1, error: 0 });
  expect(body.results.map((result) => result.event_id)).toEqual(batch.map((one) => one.event_id));
  expect(body.results[41]).toEqual({
    index: 41,
    event_id: "event-number-41",
    status: "invalid",
    code: "invalid_input",
    message: "name must be text.",
    pointer: "/events/41/name",
  });
  expect(await eventsOf(site)).toHaveLength(99);
});

test("case 7: when all events are invalid, the response is a 422 error with a result for each", async () => {
  const { key } = await siteWithKey();
  const { status, body } = await postEvents([{ type: "page" }, { type: "nonsense" }, null, event({ more: 1 })], {
    key,
  });
  expect([status, body.error?.code, body.counts.invalid]).toEqual([422, "invalid_input", 4]);
  expect(body.results.map(({ pointer }) => pointer)).toEqual([
    "/events/0/context",
    "/events/1/type",
    "/events/2",
    "/events/3/more",
  ]);
});

test("case 8: an event id twice in a batch is stored and duplicate; in parallel batches it is stored once", async () => {
  const { site, key } = await siteWithKey();
  const one = event({ event_id: "order-0123456789" });
  const first = await postEvents([one, one], { key });
  expect([first.status, first.body.results.map(({ status }) => status)]).toEqual([207, ["stored", "duplicate"]]);
  const again = await postEvents([one], { key });
  expect([again.status, again.body.results[0]?.status]).toEqual([200, "duplicate"]);
  const batch = Array.from({ length: 20 }, (_, i) => event({ event_id: `parallel-${i}-xx` }));
  const answers = await Promise.all(Array.from({ length: 5 }, () => postEvents(batch, { key })));
  expect(answers.reduce((sum, { body }) => sum + (body.counts.stored ?? 0), 0)).toBe(20);
  expect(await eventsOf(site)).toHaveLength(21);
});

test("an event without an id gets one, and sending it again with that id is a duplicate", async () => {
  const { key } = await siteWithKey();
  const { body } = await postEvents([event()], { key });
  const event_id = body.results[0]?.event_id;
  expect(event_id).toMatch(/^[A-Za-z0-9_-]{12,32}$/);
  expect((await postEvents([event({ event_id })], { key })).body.results[0]).toMatchObject({
    event_id,
    status: "duplicate",
  });
});

test("case 9: an event id of 11 or 33 characters, or with characters that are not URL-safe, is invalid", async () => {
  const { key } = await siteWithKey();
  const ids = ["a".repeat(11), "a".repeat(33), "abcdefghijk/", "abcdefghijk+", "abcdefghijkü", 123456789012];
  const { body } = await postEvents(
    ids.map((event_id) => event({ event_id })),
    { key },
  );
  for (const [i, result] of body.results.entries()) {
    expect(result).toMatchObject({ event_id: null, status: "invalid", pointer: `/events/${i}/event_id` });
  }
});

test("case 10: the same event id is stored on two sites", async () => {
  const [a, b] = [await siteWithKey(), await siteWithKey()];
  const one = event({ event_id: "order-0123456789" });
  for (const { key } of [a, b]) expect((await postEvents([one], { key })).body.results[0]?.status).toBe("stored");
});

test("case 11: a body over 1 MiB returns 413, with a correct, a wrong and without a Content-Length", async () => {
  const { key } = await siteWithKey();
  const large = "x".repeat(1024 * 1024 + 1);
  for (const headers of [{ "content-length": `${large.length}` }, { "content-length": "12" }, {}]) {
    const { status, body } = await postBody(large, { key, headers: headers as Record<string, string> });
    expect([status, body.error?.code]).toEqual([413, "payload_too_large"]);
  }
});

test("case 12: another content type or any compression returns 415", async () => {
  const { key } = await siteWithKey();
  const types = ["text/plain", "multipart/form-data", ""].map((type) => ({ "content-type": type }));
  const codings = ["gzip", "GZIP", "br", "deflate", "gzip, identity"].map((coding) => ({ "content-encoding": coding }));
  for (const headers of [...types, ...codings] as Record<string, string>[]) {
    const { status, body } = await postEvents([event()], { key, headers });
    expect([status, body.error?.code], JSON.stringify(headers)).toEqual([415, "unsupported_media_type"]);
  }
});

test("case 13: U+0000 and lone surrogates, in names, values and keys, make only that event invalid", async () => {
  const { key } = await siteWithKey();
  const bad = [
    '"name":"a\\u0000b"',
    '"name":"\\ud800"',
    '"name":"a","properties":{"deep":[{"b":"\\udc00 tail"}]}',
    '"name":"a","properties":{"k\\u0000":1}',
    '"name":"a","context":{"page":{"title":"\\u0000"}}',
  ];
  const good = '{"type":"event","name":"Fine"}';
  const { status, body } = await postBody(`{"events":[${good},${bad.map((one) => `{"type":"event",${one}}`)}]}`, {
    key,
  });
  expect(status).toBe(207);
  expect(body.results.map(({ status, pointer }) => [status, pointer])).toEqual([
    ["stored", undefined],
    ["invalid", "/events/1/name"],
    ["invalid", "/events/2/name"],
    ["invalid", "/events/3/properties/deep/0/b"],
    ["invalid", "/events/4/properties"],
    ["invalid", "/events/5/context/page/title"],
  ]);
});

test("case 14: properties may nest five levels deep; 200,000 levels cause no stack overflow", async () => {
  const { key } = await siteWithKey();
  const nested = (depth: number) =>
    `{"type":"event","name":"a","properties":{"p":${"[".repeat(depth)}1${"]".repeat(depth)}}}`;
  const { status, body } = await postBody(`{"events":[${nested(4)},${nested(5)},${nested(200_000)}]}`, { key });
  expect(status).toBe(207);
  expect(body.results.map(({ status }) => status)).toEqual(["stored", "invalid", "invalid"]);
});

test("case 15: __proto__, constructor and toString are plain property names, and not fields of an event", async () => {
  const { site, key } = await siteWithKey();
  const odd = '{"__proto__":"p","constructor":"c","toString":1}';
  const experiment = `{"experiment":"e","variant":"v","__proto__":"p"}`;
  const { body } = await postBody(
    `{"events":[{"type":"event","name":"Odd","properties":${odd}},{"type":"experiment","properties":${experiment}},{"type":"event","name":"a","__proto__":{"name":"b"}}]}`,
    { key, at: AT },
  );
  expect(body.results.map(({ status }) => status)).toEqual(["stored", "stored", "invalid"]);
  const [stored, exposed] = await eventsOf(site);
  expect(Object.entries(stored?.props ?? {}).sort()).toEqual(Object.entries(JSON.parse(odd)).sort());
  expect(Object.keys(exposed?.props ?? {}).sort()).toEqual(["__proto__", "variant"]);
  expect(({} as Record<string, unknown>).name).toBeUndefined();
});

test("case 16: numbers that would lose precision make an event invalid", async () => {
  const { key } = await siteWithKey();
  const numbers = ["1e400", "-1e999", "12345678901234567890", "-0", "0.1"];
  const events = numbers.map((number) => `{"type":"event","name":"a","properties":{"n":${number}}}`);
  const { body } = await postBody(`{"events":[${events}]}`, { key });
  expect(body.results.map(({ status }) => status)).toEqual(["invalid", "invalid", "invalid", "stored", "stored"]);
  expect(body.results[0]?.pointer).toBe("/events/0/properties/n");
});

test("case 17: a negative, unreadable or huge amount or an unknown currency is stored and not counted, with a warning", async () => {
  const { site, key } = await siteWithKey();
  const order = { order_id: "o-1", value: "10", currency: "EUR" };
  const cases: [properties: object, path: string, name?: string][] = [
    [{ ...order, value: -1 }, "properties.value"],
    [{ ...order, value: "NaN" }, "properties.value"],
    [{ ...order, value: 1e12 }, "properties.value"],
    [{ ...order, value: "1e3" }, "properties.value"],
    [{ ...order, value: { amount: 1 } }, "properties.value"],
    [{ ...order, value: null }, "properties.value"],
    [{ ...order, currency: "QQQ" }, "properties.currency"],
    [{ order_id: "o-1", value: 1 }, "properties.currency"],
    [{ ...order, value: -1 }, "properties.value", "refund"],
  ];
  const events = cases.map(([properties, , name = "purchase"]) => ({ type: "commerce", name, properties }));
  const { status, body } = await postEvents(events, { key });
  expect([status, body.counts.stored]).toEqual([200, cases.length]);
  expect(body.results.map(({ warnings }) => warnings?.map(({ path }) => path))).toEqual(
    cases.map(([, path]) => [path]),
  );
  for (const { warnings = [] } of body.results) expect(warnings[0]?.message).toMatch(/^(must be|is missing).*count/);
  const stored = await eventsOf(site);
  expect(stored.map(({ revenue }) => revenue)).toEqual(cases.map(() => null));
  expect(stored.map(({ props }) => props)).toContainEqual({ ...order, value: "NaN" });
});

test("properties are free-form: what reports cannot interpret is stored unchanged, with a warning for each path", async () => {
  const { site, key } = await siteWithKey();
  const cases: [event: { name: string; properties?: object }, warnings: string[]][] = [
    [{ name: "bought", properties: { value: 1 } }, ["name"]],
    [{ name: "product_viewed", properties: { product_id: "a" } }, []],
    [{ name: "product_viewed", properties: {} }, ["properties.items"]],
    [{ name: "checkout_started" }, []],
    [{ name: "purchase", properties: { value: 1, currency: "EUR" } }, ["properties.order_id"]],
    [{ name: "cart_added", properties: { items: "none" } }, ["properties.items"]],
    [{ name: "cart_added", properties: { items: [{ product_id: "a", price: 1 }] } }, ["properties.currency"]],
    [
      { name: "cart_added", properties: { currency: "EUR", items: [{ quantity: 1 }, 5, { sku: "b", price: -1 }] } },
      ["properties.items.0", "properties.items.1", "properties.items.2.price"],
    ],
    [
      { name: "purchase", properties: { order_id: 7, value: "1", currency: "eur", tax: -1, coupon: 5 } },
      ["properties.tax"],
    ],
  ];
  const { status, body } = await postEvents(
    cases.map(([event]) => ({ type: "commerce", ...event })),
    { key },
  );
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.results.map(({ warnings = [] }) => warnings.map(({ path }) => path))).toEqual(
    cases.map(([, warnings]) => warnings),
  );
  expect(body.results.filter((result) => "warnings" in result)).toHaveLength(7);
  expect((await eventsOf(site)).map(({ props }) => props)).toEqual(
    expect.arrayContaining(cases.map(([{ properties }]) => (Object.keys(properties ?? {}).length ? properties : null))),
  );
});

test("an event has at most 20 warnings, however many items it has", async () => {
  const { key } = await siteWithKey();
  const items = Array.from({ length: 2_000 }, () => ({}));
  const { body } = await postEvents([{ type: "commerce", name: "cart_added", properties: { items } }], { key });
  expect([body.results[0]?.status, body.results[0]?.warnings?.length]).toEqual(["stored", 20]);
});

test("purchases and refunds in GA4 and Segment format count their revenue, also with amounts as text", async () => {
  const { site, key } = await siteWithKey();
  const events = [
    { type: "commerce", name: "purchase", properties: { transaction_id: "t-1", value: "49.90", currency: "eur" } },
    { type: "commerce", name: "Order Completed", properties: { order_id: "s-1", revenue: 25, currency: "USD" } },
    { type: "commerce", name: "Order Refunded", properties: { order_id: "s-1", total: "5.00", currency: "USD" } },
    { type: "event", name: "Order Completed", properties: { order_id: "s-2", total: 7.5, currency: "EUR" } },
    { type: "event", name: "purchase" },
  ];
  const { body } = await postEvents(events, { key });
  expect(body.results.map(({ status, warnings }) => [status, warnings])).toEqual(
    events.map(() => ["stored", undefined]),
  );
  const stored = (await eventsOf(site)).map(({ name, revenue, currency }) => [name, revenue, currency]);
  expect(stored).toHaveLength(5);
  expect(stored).toEqual(
    expect.arrayContaining([
      ["purchase", "49.90", "EUR"],
      ["Order Completed", "25", "USD"],
      ["Order Refunded", "-5.00", "USD"],
      ["Order Completed", "7.5", "EUR"],
      ["purchase", null, null],
    ]),
  );
});

test("context.page.path alone identifies a page, on the domain of the site", async () => {
  const { site, key } = await siteWithKey();
  const page = (page: object) => ({ type: "page", context: { page } });
  const { body } = await postEvents(
    [
      page({ path: "/pricing?from=app", title: "Pricing" }),
      page({ url: `https://${site.host}/other`, path: "/own" }),
      page({ title: "Nowhere" }),
      page({ path: "pricing" }),
    ],
    { key },
  );
  expect(body.results.map(({ status, pointer }) => [status, pointer])).toEqual([
    ["stored", undefined],
    ["stored", undefined],
    ["invalid", "/events/2/context/page"],
    ["invalid", "/events/3/context/page/path"],
  ]);
  expect(body.results[2]?.message).toBe("context.page must have a url or a path.");
  const stored = await rowsOf<object[]>`
    SELECT hostname, path FROM facts.page WHERE site_id = ${site.id} ORDER BY path`;
  expect(stored).toEqual([
    { hostname: site.host, path: "/own" },
    { hostname: site.host, path: "/pricing?from=app" },
  ]);
});

test("experiments accept the property names of other services; without a variant, they are stored and not counted", async () => {
  const { site, key } = await siteWithKey();
  const { body } = await postEvents(
    [
      { type: "experiment", properties: { experiment_id: 42, variation_id: 1, wave: 2 } },
      { type: "experiment", name: "hero", properties: { variant: "b" } },
      { type: "experiment", properties: { experiment: "hero", list: [1] } },
      { type: "experiment" },
    ],
    { key },
  );
  expect(body.results.map(({ status, warnings = [] }) => [status, ...warnings.map(({ path }) => path)])).toEqual([
    ["stored"],
    ["stored"],
    ["stored", "properties.variant"],
    ["stored", "properties.experiment", "properties.variant"],
  ]);
  const stored = (await eventsOf(site)).map(({ name, props }) => [name, props]);
  expect(stored).toHaveLength(4);
  expect(stored).toEqual(
    expect.arrayContaining([
      ["42", { variant: "1", wave: 2 }],
      ["hero", { variant: "b" }],
      [null, { experiment: "hero", list: [1] }],
      [null, null],
    ]),
  );
});

test("a name without visible characters is invalid", async () => {
  const { key } = await siteWithKey();
  const events = ["", "   ", "\t", "\u202e\u2066", "\u200b"].flatMap((name) => [
    { type: "event", name },
    { type: "screen", name },
  ]);
  const { status, body } = await postEvents(events, { key });
  expect(status).toBe(422);
  const message = "must have 1 to 255 characters, at least one of them visible.";
  expect(new Set(body.results.map(({ message }) => message))).toEqual(new Set([`name ${message}`]));
});

test("case 18: an event has no time of its own: any timestamp is an unknown field", async () => {
  const { key } = await siteWithKey();
  const times = ["2999-01-01T00:00:00Z", "1900-01-01T00:00:00Z", 1];
  const { body } = await postEvents(
    times.map((timestamp) => event({ timestamp })),
    { key },
  );
  expect(body.results.map(({ pointer }) => pointer)).toEqual([0, 1, 2].map((i) => `/events/${i}/timestamp`));
});

test("an event with more than 50 properties, more than 8 KiB of them or more than 16 KiB is invalid alone", async () => {
  const { key } = await siteWithKey();
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i]));
  const nested = { items: Array.from({ length: 300 }, (_, i) => ({ item_id: `sku-${i}`, price: 12.5 })) };
  const { status, body } = await postEvents(
    [
      event({ properties: many }),
      event({ properties: { text: "é".repeat(8_200) } }),
      event({ properties: { text: "e".repeat(8_182) } }),
      event({ properties: { text: "é".repeat(4_091) } }),
      event({ properties: nested }),
      event({ properties: { text: "e".repeat(8_181) } }),
    ],
    { key },
  );
  expect(status).toBe(207);
  const large = [
    "invalid",
    "invalid_input",
    "properties has more than 8192 bytes of JSON; send fewer or shorter properties.",
  ];
  expect(body.results.map(({ status, code, message }) => [status, code, message])).toEqual([
    ["invalid", "invalid_input", expect.stringContaining("at most 50")],
    ["invalid", "payload_too_large", expect.anything()],
    large,
    large,
    large,
    ["stored", undefined, undefined],
  ]);
  expect(body.results[2]?.pointer).toBe("/events/2/properties");
});

test("case 25: a URL of another site than the key's is invalid, and stored for neither", async () => {
  const [{ site, key }, other] = [await siteWithKey(), await makeSite()];
  const url = `https://${other.host}/`;
  const { body } = await postEvents(
    [{ type: "page", context: { page: { url } } }, event({ context: { page: { url } } })],
    { key },
  );
  for (const [i, result] of body.results.entries()) {
    expect(result).toMatchObject({
      status: "invalid",
      code: "invalid_input",
      pointer: `/events/${i}/context/page/url`,
    });
  }
  expect([...(await eventsOf(site)), ...(await eventsOf(other))]).toEqual([]);
});

test("a user id identifies a visitor across days, by a pseudonym that differs per site", async () => {
  const [a, b] = [await siteWithKey(), await siteWithKey()];
  const user_id = `user-${randomUUID()}`;
  await postEvents([event({ user_id })], { key: a.key, at: "2025-03-04T12:00:00Z" });
  await postEvents([event({ user_id })], { key: a.key, at: "2025-03-06T12:00:00Z" });
  await postEvents([event({ user_id })], { key: b.key, at: AT });
  const [first, later] = await eventsOf(a.site);
  const [otherSite] = await eventsOf(b.site);
  expect(later?.visitor).toBe(first?.visitor);
  expect(otherSite?.visitor).not.toBe(first?.visitor);
});

test("identify continues the running visit of its session; without one, it starts a visit without pageviews", async () => {
  const { site, key } = await siteWithKey();
  const context = { page: { url: `https://${site.host}/` }, session_id: "s-1" };
  await postEvents(
    [
      { type: "page", context },
      { type: "identify", user_id: "u-1", context: { session_id: "s-1" } },
      { type: "page", user_id: "u-1", context },
      { type: "identify", user_id: "u-2" },
    ],
    { key, at: AT },
  );
  const visits = await rowsOf<{ pageviews: number; interactions: number }[]>`
    SELECT pageviews, interactions FROM facts.visit WHERE site_id = ${site.id} ORDER BY pageviews`;
  expect(visits).toEqual([
    { pageviews: 0, interactions: 0 },
    { pageviews: 2, interactions: 0 },
  ]);
});

test("a session id identifies a visitor for the day; all events of a day without any id are one separate visitor", async () => {
  const { site, key } = await siteWithKey();
  const session = (session_id: string) => event({ context: { session_id } });
  await postEvents([event(), session("s-1"), session("s-1"), session("s-2"), event({ user_id: "u-1" }), event()], {
    key,
    at: AT,
  });
  const events = await eventsOf(site);
  const by = new Map<string, number>();
  for (const { visitor } of events) by.set(visitor, (by.get(visitor) ?? 0) + 1);
  expect([...by.values()].sort()).toEqual([1, 1, 2, 2]);
});

test("the user agent classifies an event; an event without one is not a robot", async () => {
  const { site, key } = await siteWithKey();
  const from = (user_agent?: string) => ({
    type: "page",
    context: { page: { url: `https://${site.host}/` }, ...(user_agent && { user_agent }) },
  });
  await postEvents([from()], { key, at: "2025-03-04T12:00:00Z" });
  await postEvents([from(CHROME)], { key, at: "2025-03-04T12:00:01Z" });
  await postEvents([from("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")], {
    key,
    at: "2025-03-04T12:00:02Z",
  });
  expect((await eventsOf(site)).map(({ traffic }) => traffic)).toEqual([1, 1, 2]);
});

test("case 23: the sending server's own address is never a visitor's", async () => {
  const { site, key } = await siteWithKey();
  const page = { type: "page", context: { page: { url: `https://${site.host}/` }, user_agent: CHROME } };
  await send(site, "/", { at: AT, address: SERVER_ADDRESS });
  await postEvents([page], { key, at: AT });
  await postEvents([page], {
    key,
    at: AT,
    address: "192.0.2.201",
    headers: { "user-agent": CHROME, "x-forwarded-for": "198.51.100.9" },
  });
  const [browser, sent, ...others] = (await eventsOf(site)).map(({ visitor }) => visitor);
  expect(sent).not.toBe(browser);
  expect(others).toEqual([sent]);
});

test("context.campaign counts like utm parameters", async () => {
  const { site, key } = await siteWithKey();
  const context = { session_id: "s-1", campaign: { source: "newsletter", medium: "email", name: "spring" } };
  await postEvents([event({ context })], { key, at: AT });
  const found = await rowsOf`
    SELECT c.source, c.medium, c.campaign FROM facts.visit v JOIN facts.campaign c ON c.site_id = v.site_id AND c.id = v.campaign
    WHERE v.site_id = ${site.id}`;
  expect(found).toEqual([{ source: "newsletter", medium: "email", campaign: "spring" }]);
});

test("a screen becomes a page with its name as path, also with dots, slashes and a query in the name", async () => {
  const { site, key } = await siteWithKey();
  const names = [".", "..", "...", "../admin", "/", "//host", "a?b#c", "%2e", "\\", "Ä ö"];
  const { status } = await postEvents(
    names.map((name) => ({ type: "screen", name })),
    { key },
  );
  expect(status).toBe(200);
  const pages = await rowsOf<{ path: string; hostname: string }[]>`
    SELECT path, hostname FROM facts.page WHERE site_id = ${site.id}`;
  expect(new Set(pages.map(({ hostname }) => hostname))).toEqual(new Set([site.host]));
  expect(pages.map(({ path }) => path).sort()).toEqual(names.map((name) => `/${encodeURIComponent(name)}`).sort());
});

test("dot segments of a URL are resolved as browsers do", async () => {
  const { site, key } = await siteWithKey();
  const urls = ["/.", "/..", "/a/../..", "/a/./b/..", "/%2e%2e/c", "/a//../d"];
  const events = urls.map((path) => ({ type: "page", context: { page: { url: `https://${site.host}${path}` } } }));
  expect((await postEvents(events, { key })).status).toBe(200);
  const pages = await rowsOf<{ path: string }[]>`SELECT path FROM facts.page WHERE site_id = ${site.id}`;
  expect(pages.map(({ path }) => path).sort()).toEqual(["/", "/a/", "/a/d", "/c"]);
});

test("a key allows 600 requests a minute; the next returns 429 with Retry-After", async () => {
  const { key } = await siteWithKey();
  const answers = await Promise.all(Array.from({ length: 601 }, () => postBody("{", { key, at: AT })));
  const refused = answers.filter(({ status }) => status === 429);
  expect([refused.length, refused[0]?.body.error?.code]).toEqual([1, "rate_limited"]);
  expect(refused[0]?.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect((await postEvents([event()], { key, at: "2025-03-04T12:00:01Z" })).status).toBe(200);
});

test("event outcomes are counted, invalid events by field and never by names from the request", async () => {
  const { site, key } = await siteWithKey();
  await postEvents([event(), event({ name: 1 }), event({ [`odd-${randomUUID()}`]: 1 })], { key, at: AT });
  await flushIngestStats();
  const counts = await rowsOf`
    SELECT outcome, reason, events::int FROM facts.intake WHERE site_id = ${site.id} ORDER BY outcome, reason`;
  expect(counts).toEqual([
    { outcome: "refused", reason: "invalid_input", events: 1 },
    { outcome: "refused", reason: "invalid_input:name", events: 1 },
    { outcome: "stored", reason: "", events: 1 },
  ]);
});

test("a batch that is refused as a whole is counted as one event, by reason", async () => {
  const { site, key } = await siteWithKey();
  await postBody("{", { key, at: AT });
  await postBody('{"events":[]}', { key, at: AT });
  await postBody('{"events":[{}],"odd":1}', { key, at: AT });
  await postEvents([event()], { key, at: AT, headers: { "content-encoding": "gzip" } });
  await postBody("x".repeat(1024 * 1024 + 1), { key, at: AT });
  const flood = await Promise.all(Array.from({ length: 600 }, () => postBody("{", { key, at: AT })));
  expect(flood.filter(({ status }) => status === 429)).toHaveLength(5);
  await flushIngestStats();
  expect(
    await rowsOf`
    SELECT outcome, reason, events::int FROM facts.intake WHERE site_id = ${site.id} ORDER BY reason`,
  ).toEqual(
    [
      ["invalid_input", 2],
      ["malformed_json", 596],
      ["payload_too_large", 1],
      ["rate_limited", 5],
      ["unsupported_media_type", 1],
    ].map(([reason, events]) => ({ outcome: "refused", reason, events })),
  );
});

test("a batch with the key of a site that was just deleted stores nothing and returns 401, never a 500", async () => {
  const { site, key } = await siteWithKey();
  await postEvents([event()], { key, at: AT });
  await db().site.delete({ where: { id: site.id } });
  const { status } = await postEvents([event()], { key, at: "2025-03-05T12:00:00Z" });
  expect(status).toBe(401);
});

test("case 29: a batch over the quota returns 429 until the month ends, and each of its events is counted as refused", async () => {
  const { site, key } = await siteWithKey();
  const at = "2025-03-04T12:00:00Z";
  setEnv({ NODE_ENV: "test", EVENTS_PER_MONTH: "1000000" });
  try {
    await db().$executeRaw`
      INSERT INTO facts.intake (site_id, day, outcome, reason, events) VALUES (${site.id}, '2025-03-01', 'stored', '', 1000000)`;
    const events = ["a", "b"].map((name) => ({ type: "event", name }));
    const { status, headers, body } = await postEvents(events, { key, at });
    expect([status, body.error?.code]).toEqual([429, "quota_exceeded"]);
    expect(Number(headers.get("retry-after"))).toBe(27.5 * 86_400);
  } finally {
    setEnv({ NODE_ENV: "test" });
  }
  await flushIngestStats();
  expect(
    await rowsOf`SELECT reason, events::int FROM facts.intake WHERE site_id = ${site.id} AND outcome = 'refused'`,
  ).toEqual([{ reason: "quota_exceeded", events: 2 }]);
});
