import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Analytics } from "@segment/analytics-node";
import { Umami } from "@umami/node";
import { expect, test } from "vitest";
import { answerIngest } from "@/lib/ingest/api/answer-ingest";
import { INGEST_ROUTES } from "@/lib/ingest/api/requests";
import analyticsOverview from "@/lib/operations/analytics.overview";
import { db } from "@/lib/platform/db";
import { fromNode, toNode } from "@/lib/platform/http/http";
import { siteWithKey } from "@/lib/testing/measuring";
import { reportAsOwner } from "@/lib/testing/reports";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, makeSite, type TestSite } from "@/lib/testing/world";

/** Published clients of other products in Node, with nothing changed but the host. */

/** Serves the paths that take events over HTTP, for published clients. */

interface IngestServer extends AsyncDisposable {
  url: string;
  /** The answers so far. */
  answers: { path: string; status: number; body: string }[];
}

/** @param failing how many requests get 503 after their events were stored, as when the answer is lost. */
async function serveIngest({ address = "203.0.113.7", failing = 0 } = {}): Promise<IngestServer> {
  const answers: IngestServer["answers"] = [];
  let failures = failing;
  const server = createServer(async (request: IncomingMessage, response) => {
    const path = request.url ?? "";
    const route = INGEST_ROUTES[path];
    if (!route) return response.writeHead(404).end();
    const incoming = { ...fromNode(request), bytes: () => buffer(request) };
    const answer = await answerIngest(route.surface, incoming, { address, now: new Date() });
    answers.push({ path, status: answer.status, body: answer.body });
    if (failures-- > 0) return response.writeHead(503, { "retry-after": "1" }).end();
    toNode(answer, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const eventsOf = (site: TestSite) =>
  rowsOf<Record<string, unknown>[]>`
    SELECT name.name, path, event.props, event.traffic, event.revenue::float8 AS revenue, event.user_hash IS NOT NULL AS named
    FROM facts.event AS event
    LEFT JOIN facts.name AS name ON name.site_id = event.site_id AND name.id = event.name
    LEFT JOIN facts.page AS page ON page.site_id = event.site_id AND page.id = event.page
    WHERE event.site_id = ${site.id} ORDER BY event.ts, event.seq`;
const visitsOf = (site: TestSite) =>
  rowsOf<{ pageviews: number; interactions: number }[]>`
    SELECT pageviews, interactions FROM facts.visit WHERE site_id = ${site.id} ORDER BY started`;

/** Returns the numbers of today, as the owner sees them. */
async function numbersOf(site: TestSite) {
  // A day in UTC may end during the test.
  const [now, from] = [new Date(), new Date(Date.now() - 3600_000)];
  const range = { from: from.toISOString().slice(0, 10), to: now.toISOString().slice(0, 10) };
  const { metrics } = (await reportAsOwner(analyticsOverview, site, range, now.toISOString())) as {
    metrics: Record<string, number>;
  };
  return metrics;
}

function analytics(key: string, host: string) {
  const client = new Analytics({ writeKey: key, host, flushAt: 20, flushInterval: 60_000, maxRetries: 3 });
  const errors: unknown[] = [];
  client.on("error", (error) => errors.push(error));
  return { client, errors };
}

test("@segment/analytics-node stores its calls with their times, users and sales, and learns of no error", async () => {
  const { site, key } = await siteWithKey();
  await using server = await serveIngest();
  const { client, errors } = analytics(key, server.url);
  const began = Date.now() - 3600_000;
  const at = (minutes: number) => new Date(began + minutes * 60_000);
  const url = `https://${site.host}`;
  const context = { ip: "93.184.216.34", userAgent: CHROME, locale: "de-CH" };
  client.track({
    userId: "u1",
    event: "Order Completed",
    properties: { order_id: "o1", revenue: 49.9, currency: "EUR" },
    timestamp: at(5),
  });
  client.page({
    anonymousId: "a1",
    properties: { url: `${url}/pricing`, title: "Pricing" },
    context,
    timestamp: at(0),
  });
  client.identify({ anonymousId: "a1", userId: "u1", traits: { email: "ada@example.com" }, timestamp: at(2) });
  client.screen({ anonymousId: "a2", name: "Home", timestamp: at(1) });
  client.alias({ userId: "u1", previousId: "a1" });
  client.group({ userId: "u1", groupId: "g1" });
  await client.closeAndFlush();
  expect(errors).toEqual([]);
  expect(server.answers.map(({ path, status }) => [path, status])).toEqual([["/v1/batch", 200]]);
  const answer = JSON.parse(server.answers[0]?.body ?? "");
  expect(answer).toMatchObject({ success: true, counts: { stored: 4, ignored: 2, invalid: 0, error: 0 } });
  expect(await eventsOf(site)).toMatchObject([
    { path: "/pricing", named: false },
    { path: "/Home", named: false },
    { name: null, named: true },
    { name: "Order Completed", revenue: 49.9, named: true },
  ]);
  // The visit that began without a name goes on with the user's events, whatever came first.
  expect(await visitsOf(site)).toEqual([
    { pageviews: 1, interactions: 1 },
    { pageviews: 1, interactions: 0 },
  ]);
  const stored = await rowsOf<
    { text: string }[]
  >`SELECT e::text AS text FROM facts.event AS e WHERE site_id = ${site.id}`;
  expect(JSON.stringify(stored)).not.toContain("ada@example.com");
});

test("a batch that @segment/analytics-node sends again, because no answer came, is stored once", async () => {
  const { site, key } = await siteWithKey();
  await using server = await serveIngest({ failing: 1 });
  const { client, errors } = analytics(key, server.url);
  for (let index = 0; index < 5; index++) client.track({ anonymousId: "a", event: `Event ${index}` });
  await client.closeAndFlush();
  expect(errors).toEqual([]);
  const counts = server.answers.map(({ body }) => JSON.parse(body).counts);
  expect(counts).toMatchObject([{ stored: 5 }, { duplicate: 5, stored: 0 }]);
  expect((await eventsOf(site)).map(({ name }) => name)).toEqual([0, 1, 2, 3, 4].map((index) => `Event ${index}`));
});

test("@segment/analytics-node learns that its write key is wrong", async () => {
  await using server = await serveIngest();
  const { client, errors } = analytics("ffk_wrong", server.url);
  client.track({ anonymousId: "a", event: "Lost" });
  await client.closeAndFlush();
  expect(errors).toHaveLength(1);
  expect(JSON.parse(server.answers[0]?.body ?? "")).toMatchObject({ success: false, error: { code: "invalid_token" } });
});

test("@umami/node stores views, events and their data by the domain, and by a website id that is mapped", async () => {
  const site = await makeSite();
  const alias = randomUUID();
  await db().siteAlias.create({ data: { alias, siteId: site.id, createdAt: new Date() } });
  await using server = await serveIngest();
  for (const websiteId of [site.host, alias]) {
    const umami = new Umami({ websiteId, hostUrl: server.url });
    const answers = [
      await umami.track({
        hostname: site.host,
        url: "/pricing?utm_source=news",
        title: "Pricing",
        referrer: "",
        screen: "1920x1080",
        language: "de",
      }),
      await umami.track("Signup", { plan: "pro", nested: { seats: 3 } as never }),
      await umami.identify({ plan: "pro" }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        cache: expect.any(String),
        sessionId: expect.any(String),
        visitId: expect.any(String),
      });
    }
  }
  const expected = [{ path: "/pricing" }, { name: "Signup", props: { plan: "pro", "nested.seats": 3 }, traffic: 1 }];
  expect(await eventsOf(site)).toMatchObject([...expected, ...expected]);
  // A server that names no visitor makes no visit: its views and events count, and nothing that rests on visits.
  expect(await visitsOf(site)).toEqual([]);
  const none = { visitors: 0, visits: 0, bounce_rate: null, views_per_visit: null };
  expect(await numbersOf(site)).toMatchObject({ ...none, pageviews: 2, events: 2 });
});

test("@umami/node counts the visits of the visitors whose browser it forwards", async () => {
  const site = await makeSite();
  await using server = await serveIngest();
  const umami = new Umami({ websiteId: site.host, hostUrl: server.url });
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
  const sent = [
    { userAgent: CHROME, url: "/" },
    { userAgent: firefox, url: "/" },
    { userAgent: CHROME, url: "/pricing" },
    { userAgent: CHROME, url: "/pricing", name: "Signup" },
  ];
  for (const payload of sent) {
    // Its types leave out what it passes on.
    const { status } = await umami.track({ hostname: site.host, ...payload } as object);
    expect(status).toBe(200);
  }
  expect(await visitsOf(site)).toEqual([
    { pageviews: 2, interactions: 1 },
    { pageviews: 1, interactions: 0 },
  ]);
  expect(await numbersOf(site)).toMatchObject({ visitors: 2, visits: 2, pageviews: 3, events: 1, bounce_rate: 0.5 });
});
