import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type Client, pageview, type Tier } from "@/e2e/contract/client";
import { keyOf, signedIp, siteWithKey } from "@/lib/testing/measuring";
import { freshAddress } from "@/lib/testing/oauth";
import { makeSite, type TestSite } from "@/lib/testing/world";

const BOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/** The Events API and the Measurement Protocol. */
export function ingest(client: () => Client, tier: Tier): void {
  test("an event is stored, and one with the same id is a duplicate; any origin can read the responses", async () => {
    const site = await makeSite();
    const event = { ...pageview(site, "/pricing"), event_id: "contract-event-1" };
    const visitor = { "x-forwarded-for": freshAddress() };
    for (const status of ["stored", "duplicate"]) {
      const answer = await client().event(event, visitor);
      expect([answer.status, answer.body.status, answer.body.event_id]).toEqual([202, status, "contract-event-1"]);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("x-request-id")).toBe(answer.body.request_id);
    }
  });

  test("an event is filtered with a reason, and classified by its sender", async () => {
    const site = await makeSite();
    const own = await client().event({ ...pageview(site, "/"), own: true });
    expect([own.status, own.body]).toMatchObject([202, { status: "filtered", reason: "own_traffic" }]);
    const bot = await client().event(pageview(site, "/"), { "user-agent": BOT });
    expect([bot.status, bot.body]).toMatchObject([202, { status: "stored", class: "bot" }]);
  });

  test("a refused event gets an error that any origin can read", async () => {
    const site = await makeSite();
    const refused = async (body: object | string, headers: Record<string, string> = {}) => {
      const answer = await client().event(body, headers);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      return [answer.status, answer.body.error.code];
    };
    expect(await refused({ domain: site.host, name: "" })).toEqual([422, "invalid_input"]);
    expect(await refused("{")).toEqual([400, "malformed_json"]);
    expect(await refused(pageview(site, "/x".repeat(40_000)))).toEqual([413, "payload_too_large"]);
    expect(await refused(pageview(site, "/"), { "content-type": "text/html" })).toEqual([
      415,
      "unsupported_media_type",
    ]);
    expect(await refused(pageview(site, "/"), { "content-encoding": "gzip" })).toEqual([415, "unsupported_media_type"]);
  });

  test("the clients of other products are answered in their own forms", async () => {
    const { site, key } = await siteWithKey();
    const url = `https://${site.host}/pricing`;
    const payload = { website: site.host, hostname: site.host, url: "/pricing" };
    const sent: [path: string, body: object, status: number, answer: object][] = [
      ["/api/event", { n: "pageview", u: url, d: site.host }, 202, { status: "stored" }],
      ["/api/event", { n: "pageview", d: site.host }, 400, { errors: { url: [expect.any(String)] } }],
      ["/api/send", { type: "event", payload }, 200, { status: "stored", visitId: expect.any(String) }],
      ["/api/send", { type: "event" }, 400, { error: { code: "bad-request", status: 400 } }],
      ["/api/batch", [{ type: "event", payload }] as object, 200, { size: 1, processed: 1, errors: 0 }],
      ["/v1/batch", { batch: [{ type: "track", event: "Signup" }], writeKey: key }, 200, { success: true }],
      ["/v1/track", { event: "Signup", writeKey: key }, 200, { success: true }],
      ["/v1/group", { writeKey: key }, 200, { success: true, counts: { ignored: 1 } }],
      ["/v1/track", { event: "Signup" }, 401, { success: false }],
    ];
    for (const [path, body, status, answer] of sent)
      expect(await client().call(path, { body }), path).toMatchObject({ status, body: answer });
    const preflight = await client().call("/api/send", { method: "OPTIONS" });
    expect(preflight.headers.get("access-control-allow-headers")).toContain("x-umami-cache");
  });

  test("preflight requests are allowed for events and refused for batches", async () => {
    const preflight = { origin: "https://shop.example", "access-control-request-method": "POST" };
    const before = await client().call("/api/event", { method: "OPTIONS", headers: preflight });
    expect([before.status, before.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(before.headers.get("access-control-allow-methods")).toBe("POST");
    expect(before.headers.get("access-control-allow-headers")).toContain("content-type");
    const batch = await client().call("/api/v1/events", { method: "OPTIONS", headers: preflight });
    expect([batch.status, batch.headers.get("access-control-allow-origin")]).toEqual([405, null]);
    for (const [path, allow] of [
      ["/api/event", "POST, OPTIONS"],
      ["/api/v1/events", "POST"],
    ] as const) {
      const wrong = await client().call(path);
      expect([wrong.status, wrong.headers.get("allow"), wrong.body.error.code]).toEqual([
        405,
        allow,
        "method_not_allowed",
      ]);
    }
  });

  test("a batch is 200 when all of it is stored, 207 when some is, and 422 when none is", async () => {
    const { site, key } = await siteWithKey();
    const send = async (...events: object[]) => {
      const { status, body } = await client().batch(key, { events });
      return [status, body.results?.map((result: { status: string }) => result.status)];
    };
    const good = { type: "page", context: { page: { url: `https://${site.host}/` } } };
    const bad = { type: "page" };
    expect(await send(good, good)).toEqual([200, ["stored", "stored"]]);
    expect(await send(good, bad)).toEqual([207, ["stored", "invalid"]]);
    expect(await send(bad)).toEqual([422, ["invalid"]]);
  });

  test("a batch with a wrong key is 401, broken JSON 400, another type or encoding 415 and a large body 413", async () => {
    const { key } = await keyOf(await makeSite());
    const refused = async (given: string, body: string, headers: Record<string, string> = {}) => {
      const answer = await client().batch(given, body, headers);
      return [answer.status, answer.body.error.code];
    };
    expect(await refused("ffk_wrong", '{"events":[]}')).toEqual([401, "invalid_token"]);
    expect(await refused(key, "{")).toEqual([400, "malformed_json"]);
    expect(await refused(key, "{}", { "content-type": "text/plain" })).toEqual([415, "unsupported_media_type"]);
    expect(await refused(key, "{}", { "content-encoding": "gzip" })).toEqual([415, "unsupported_media_type"]);
    expect(await refused(key, " ".repeat(6 * 2 ** 20))).toEqual([413, "payload_too_large"]);
  });

  test("a server may sign the address of its visitor", async () => {
    const { site, key } = await siteWithKey();
    const body = JSON.stringify({ events: [{ type: "page", context: { page: { url: `https://${site.host}/` } } }] });
    const signed = signedIp(key, body, "198.51.100.20", `${Math.floor(Date.now() / 1000)}`);
    const right = await client().batch(key, body, signed);
    expect([right.status, right.body.client_ip]).toEqual([200, { accepted: true }]);
    const wrong = await client().batch(key, body, { ...signed, "x-footfall-client-ip": "198.51.100.21" });
    expect(wrong.body.client_ip).toMatchObject({ accepted: false });
  });

  test("events appear in reports: two visitors by IP address, three pageviews", async () => {
    const site = await makeSite();
    const one = { "x-forwarded-for": "198.51.100.1" };
    await client().event(pageview(site, "/"), one);
    await client().event(pageview(site, "/pricing"), one);
    await client().event(pageview(site, "/pricing"), { "x-forwarded-for": "198.51.100.2" });
    expect(await overviewOf(client(), site)).toMatchObject({ visitors: 2, visits: 2, pageviews: 3 });
  });

  if (tier === "short") return;

  test("a client behind no proxy cannot choose its address, and a compressed body is not read", async () => {
    const site = await makeSite();
    const body = gzipSync(JSON.stringify(pageview(site, "/"))).toString("latin1");
    const answer = await client().event(body, { "content-encoding": "gzip" });
    expect(answer.status).toBe(415);
    const named = { "x-forwarded-for": "198.51.100.7", "x-footfall-client-ip": "203.0.113.1" };
    await client().event(pageview(site, "/"), named);
    await client().event(pageview(site, "/"), { ...named, "x-footfall-client-ip": "203.0.113.2" });
    expect(await overviewOf(client(), site)).toMatchObject({ visitors: 1, pageviews: 2 });
  });
}

async function overviewOf(client: Client, site: TestSite) {
  const token = await client.connect(site, ["analytics:read"]);
  const { status, body, text } = await client.read(token, "analytics.overview", { site_id: site.id, period: "24h" });
  expect(status, text).toBe(200);
  return body.data.metrics;
}
