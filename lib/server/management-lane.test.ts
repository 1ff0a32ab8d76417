import { once } from "node:events";
import http, { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { managementLane } from "@/lib/server/management-lane";
import { makeClient, makeSite } from "@/lib/testing/world";

/** What the lane leaves to Next is answered with this. */
const LEFT = 299;
const ACTIONS = "/api/v1/management/actions";

/** A server that knows the lane and nothing else. */
const server = createServer((request, response) => {
  if (!managementLane(request, response)) response.writeHead(LEFT).end();
}).listen(0, "127.0.0.1");
const listening = once(server, "listening");
afterAll(() => void server.close());

async function portOf(): Promise<number> {
  await listening;
  return (server.address() as AddressInfo).port;
}

/** An answer as it came, not unpacked. */
async function ask(path: string, options: http.RequestOptions = {}) {
  const request = http.request({ host: "127.0.0.1", port: await portOf(), path, agent: false, ...options }).end();
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  const bytes = Buffer.concat(await answer.toArray());
  return { status: answer.statusCode, headers: answer.headers, bytes };
}

async function reader(): Promise<{ siteId: number; headers: Record<string, string> }> {
  const site = await makeSite();
  const { token } = await makeClient({ scopes: ["analytics:read"], sites: [site], personId: site.ownerId });
  return { siteId: site.id, headers: { authorization: `Bearer ${token}` } };
}

test("a long answer is packed for whom takes that, and says the same as it does to others", async () => {
  const { siteId, headers } = await reader();
  const path = `${ACTIONS}/analytics.chart?site_id=${siteId}&period=90d`;
  const plain = await ask(path, { headers });
  const packed = await ask(path, { headers: { ...headers, "accept-encoding": "br, gzip" } });
  const refused = await ask(path, { headers: { ...headers, "accept-encoding": "gzip;q=0" } });
  expect([plain, packed, refused].map(({ status, headers }) => [status, headers["content-encoding"]])).toEqual([
    [200, undefined],
    [200, "gzip"],
    [200, undefined],
  ]);
  expect(packed.headers).toMatchObject({ "content-type": "application/json", vary: "accept-encoding" });
  const [data, unpacked] = [plain.bytes, gunzipSync(packed.bytes)].map((bytes) => JSON.parse(`${bytes}`).data);
  expect(unpacked).toEqual(data);
  expect(data.meta.site_id).toBe(siteId);
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
});

test("a short answer and a refusal come as they are, a HEAD without a body, and escapes in the name are read", async () => {
  const { siteId, headers } = await reader();
  const wanting = { ...headers, "accept-encoding": "gzip" };
  const escaped = await ask(`${ACTIONS}/analytics%2Efilter_options?site_id=${siteId}&field=page`, {
    headers: wanting,
  });
  expect(escaped).toMatchObject({ status: 200, headers: { "content-length": `${escaped.bytes.length}` } });
  expect(escaped.headers["content-encoding"]).toBeUndefined();
  const unknown = await ask(`${ACTIONS}/analytics.nothing`, { headers: wanting });
  expect([unknown.status, JSON.parse(`${unknown.bytes}`).error.code]).toEqual([404, "operation_not_found"]);
  const head = await ask(`${ACTIONS}/analytics.overview`, { method: "HEAD", headers: wanting });
  expect([head.status, head.bytes.length, head.headers.allow]).toEqual([405, 0, "GET"]);
  expect((await ask(`${ACTIONS}/sites.list`)).status).toBe(401);
});

test("a body beyond the limit is refused by its length before it comes", async () => {
  const { token } = await makeClient({ scopes: ["sites:create"], personId: (await makeSite()).ownerId });
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": `${300 * 1024}`,
  };
  const request = http.request({
    host: "127.0.0.1",
    port: await portOf(),
    path: `${ACTIONS}/sites.create`,
    method: "POST",
    headers,
  });
  request.on("error", () => {});
  request.write("{");
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(413);
  request.destroy();
});

test("an address that is not just an operation's is left to Next", async () => {
  for (const path of [
    ACTIONS,
    `${ACTIONS}/`,
    `${ACTIONS}/sites.list/`,
    `${ACTIONS}/sites.list/more`,
    "/api/v1/management",
  ])
    expect([path, (await ask(path)).status]).toEqual([path, LEFT]);
});
