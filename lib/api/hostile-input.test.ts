import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { manage } from "@/lib/api/management";
import { queryPublicSite } from "@/lib/gateway/execute";
import overview from "@/lib/operations/analytics.overview";
import { db } from "@/lib/platform/db";
import { callApi, makeClient, makePerson, makeSite, send } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T12:00:00Z");

test("case 66: for a duplicate key in a JSON body the last value counts, as documented", async () => {
  const { token } = await makeClient({ scopes: ["sites:create", "sites:read"], personId: await makePerson() });
  const body = `{"domain":"first-${randomUUID()}.example","domain":"last-${randomUUID()}.example","timezone":"UTC","public":false}`;
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  const request = {
    method: "POST",
    query: new URLSearchParams(),
    header: (name: string) => headers[name] ?? null,
    bytes: async () => Buffer.from(body),
  };
  const answer = await manage(request, "sites.create", new Date());
  expect([answer.status, JSON.parse(`${answer.body}`).data?.domain]).toEqual([200, expect.stringMatching(/^last-/)]);
});

test.each([
  ["analytics.overview", { from: "2026-02-30" }, "from"],
  ["analytics.overview", { from: "2026-03-02", to: "2026-03-01" }, "from"],
  ["analytics.overview", { from: "1971-01-01", to: "2071-01-01" }, "from"],
  ["analytics.filter_options", { field: "page", limit: 101 }, "limit"],
  ["analytics.overview", { segment: "{0b7c1f5e-6f0a-4c3e-9b1d-2f4a6c8e0d12}" }, "segment"],
])("case 68: %s refuses %j with 422 naming %s", async (operation, input, path) => {
  const site = await makeSite();
  const { token } = await makeClient({ scopes: ["analytics:read"], sites: [site], personId: site.ownerId });
  const { status, body } = await callApi(operation, { token, input: { site_id: site.id, ...input } });
  expect([status, body.error?.details.issues[0].path]).toEqual([422, path]);
});

test("case 78: of 1,000 calls within a minute 600 succeed, the rest get 429 with Retry-After; others are unaffected", async () => {
  const personId = await makePerson();
  const busy = await makeClient({ scopes: ["sites:read"], personId });
  const calm = await makeClient({ scopes: ["sites:read"], personId: await makePerson() });
  const now = new Date();
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < 1_000; sent += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => callApi("sites.list", { token: busy.token, now })),
    );
    for (const { status, headers } of answers) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) expect(headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    }
  }
  expect(Object.fromEntries(statuses)).toEqual({ 200: 600, 429: 400 });
  expect((await callApi("sites.list", { token: calm.token, now })).status).toBe(200);
});

test("case 86: filters with SQL metacharacters match only their literal text on a public dashboard", async () => {
  const site = await makeSite();
  await db().site.update({ where: { id: site.id }, data: { public: true } });
  await send(site, { name: "pageview", url: `https://${site.host}/` }, { at: NOW });
  const ask = async (page: string) => {
    const input = { site_id: site.id, period: "today", filters: { page: { is: [page] } } };
    return (await queryPublicSite("198.51.100.86")(overview, { input, now: NOW })).data.metrics.pageviews;
  };
  for (const text of ["' OR '1'='1", "/%", "/_", "\\", "'; DROP TABLE site; --", "$1", "?", ":page", "/\u2028"]) {
    expect(await ask(text), text).toBe(0);
  }
  expect(await ask("/")).toBe(1);
});
