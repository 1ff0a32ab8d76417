import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { execute, queryPublicSite } from "@/lib/gateway/execute";
import seo from "@/lib/operations/analytics.seo";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { purgeSearch } from "@/lib/search/purge";
import { deleteExpiredEvents } from "@/lib/sites/delete-expired";
import { deleteSite } from "@/lib/sites/purge";
import { callApproved } from "@/lib/testing/approved";
import { call, makeMember, refused } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { asOwner } from "@/lib/testing/reports";
import {
  accountOf,
  connectionOf,
  connectSite,
  fetchSite,
  SEARCH_TIME,
  type SearchSite,
  searchOf,
  searchProviderForTests,
  searchSite,
} from "@/lib/testing/search-site";
import { callApi, makeClient } from "@/lib/testing/world";

/** What people and agents do with connections, and what is left of one that has ended. */

// Purges and the retention limit end data of all sites.
databaseForTests();

const server = await searchProviderForTests();

/** Tests share the provider, whose next account each sets. */
const alone = test.sequential;

/** A connected site with the numbers of one day. */
async function withNumbers(
  owner?: SearchSite["owner"],
  property?: string,
): Promise<SearchSite & { connectionId: number }> {
  const site = await searchSite(owner);
  const google = [
    { siteUrl: property ?? `sc-domain:${site.host}`, permissionLevel: "siteOwner" },
    { siteUrl: `https://${site.host}/`, permissionLevel: "siteFullUser" },
  ];
  await connectSite(server, site, accountOf(site, [searchOf(site, "2026-11-17", "a")], { google }));
  const { id } = await fetchSite(site);
  return { ...site, connectionId: id };
}

const numbersOf = async (connectionId: number): Promise<number> => {
  const [{ rows } = { rows: -1 }] = await db().$queryRaw<{ rows: number }[]>`
    SELECT (SELECT count(*) FROM search_day WHERE connection_id = ${connectionId})::int
      + (SELECT count(*) FROM search_number WHERE connection_id = ${connectionId})::int AS rows`;
  return rows;
};

const as = (site: SearchSite, id: string, input: object = {}, now = SEARCH_TIME) =>
  call(site.ownerId, id, { site_id: site.id, ...input }, now);
const google = async (site: SearchSite) => (await as(site, "sites.search_engines.list")).connections[0];
const askSeo = async (site: SearchSite, input: object = {}) =>
  (await execute(seo, asOwner(site, { period: "28d", ...input }, SEARCH_TIME))).data;
/** Runs the purge after all that has ended so far. */
const purge = () => purgeSearch(new Date(Date.now() + 60_000));

alone("a site lists its connections, with their state and how fresh their numbers are, and no token", async () => {
  const site = await withNumbers();
  const { connections } = await as(site, "sites.search_engines.list");
  expect(connections).toEqual([
    {
      provider: "google",
      name: "Google Search Console",
      state: "connected",
      about: "Fetched every night.",
      property: `sc-domain:${site.host}`,
      properties: [`sc-domain:${site.host}`, `https://${site.host}/`],
      connect_url: `${env().BASE_URL}/sites/${site.id}/settings/search`,
      connected_at: SEARCH_TIME.toISOString(),
      fetched_at: SEARCH_TIME.toISOString(),
      next_fetch_at: expect.any(String),
      fresh_until: "2026-11-17",
      days_left: 0,
      error: null,
    },
    expect.objectContaining({ provider: "bing", state: "not_connected", property: null, fetched_at: null }),
  ]);
});

alone("without the operator's client id, pages and agents read that it is not set up, and nothing else", async () => {
  const site = await searchSite();
  const configured = { ...env() };
  Object.assign(env(), { GOOGLE_SEARCH_CONSOLE_CLIENT_ID: undefined, GOOGLE_SEARCH_CONSOLE_CLIENT_SECRET: undefined });
  const [connection, { providers }] = [await google(site), await askSeo(site)];
  const refresh = await refused(as(site, "sites.search_engines.refresh", { provider: "google" }));
  Object.assign(env(), configured);
  const about = "This service is not set up for Google Search Console: its operator has not registered it there.";
  expect(connection).toMatchObject({ state: "not_configured", about, connect_url: null });
  const nothing = { clicks: null, impressions: null, ctr: null, position: null };
  expect(providers[0]).toMatchObject({
    state: "not_configured",
    connected: false,
    about,
    queries: [],
    totals: nothing,
  });
  expect(refresh).toMatchObject({ code: "not_found" });
});

alone(
  "an agent reads connections, but a person must approve what ends or changes one, and no agent makes one",
  async () => {
    const site = await withNumbers();
    const { token } = await makeClient({
      scopes: ["sites:read", "sites:write", "analytics:read"],
      sites: [site],
      personId: site.ownerId,
      now: SEARCH_TIME,
    });
    const input = { site_id: site.id, provider: "google" };
    const ask = async (operation: string, more = {}) => {
      const { status, body } = await callApi(operation, { token, input: { ...input, ...more }, now: SEARCH_TIME });
      return status === 200 ? 200 : body.error.code;
    };
    const list = await callApi("sites.search_engines.list", { token, input: { site_id: site.id }, now: SEARCH_TIME });
    expect(list.body.data.connections[0].property).toBe(`sc-domain:${site.host}`);
    expect(await ask("sites.search_engines.disconnect", { numbers: "delete" })).toBe("approval_required");
    expect(await ask("sites.search_engines.update", { property: `https://${site.host}/` })).toBe("approval_required");
    expect(await ask("search.connect")).toBe("operation_not_found");
    expect((await connectionOf(site)).token).not.toBeNull();
  },
);

alone(
  "a manager may ask for a fetch, twice an hour and not while the provider asks to wait; a viewer may not",
  async () => {
    const site = await withNumbers();
    const input = { site_id: site.id, provider: "google" };
    const manager = await makeMember(site.id, "manager");
    const ask = (who: number) => refused(call(who, "sites.search_engines.refresh", input, SEARCH_TIME));
    expect(await ask(await makeMember(site.id, "viewer"))).toMatchObject({ code: "role_denied" });
    expect(await ask(manager)).toBeNull();
    expect((await connectionOf(site)).nextFetchAt).toEqual(SEARCH_TIME);
    expect(await ask(site.ownerId)).toBeNull();
    expect(await ask(manager)).toMatchObject({ code: "rate_limited", retryAfter: 3600 });
    const other = await withNumbers();
    await db().searchConnection.update({
      where: { id: other.connectionId },
      data: { fault: "quota", nextFetchAt: new Date(SEARCH_TIME.getTime() + 900_000) },
    });
    expect(await refused(as(other, "sites.search_engines.refresh", { provider: "google" }))).toMatchObject({
      code: "rate_limited",
      retryAfter: 900,
    });
  },
);

alone("another property of the account replaces the numbers of the one before", async () => {
  const site = await withNumbers();
  const property = `https://${site.host}/`;
  const wrong = await refused(
    as(site, "sites.search_engines.update", { provider: "google", property: "sc-domain:other.example" }),
  );
  expect(wrong).toMatchObject({ code: "invalid_input", message: expect.stringContaining(`https://${site.host}/`) });
  const { connection } = await as(site, "sites.search_engines.update", { provider: "google", property });
  expect(connection).toMatchObject({ property, fresh_until: null, state: "connected" });
  expect((await askSeo(site)).providers[0]?.queries).toEqual([]);
  const before = server.revoked.length;
  await purge();
  expect([await numbersOf(site.connectionId), server.revoked.length]).toEqual([0, before]);
  expect(await fetchSite(site)).toMatchObject({ fault: null, problem: null });
  expect((await askSeo(site)).providers[0]?.queries).toHaveLength(1);
});

alone(
  "a connection that is ended loses its token here and at the provider, and keeps its numbers if asked to",
  async () => {
    const site = await withNumbers();
    await as(site, "sites.search_engines.disconnect", { provider: "google", numbers: "keep" });
    expect(await connectionOf(site)).toMatchObject({ token: null, nextFetchAt: null });
    const before = server.revoked.length;
    await purge();
    expect(server.revoked.length).toBe(before + 1);
    const { providers } = await askSeo(site);
    expect([providers[0]?.state, providers[0]?.queries.length]).toEqual(["not_connected", 1]);
    // The same property continues, without what it has already.
    await connectSite(server, site, accountOf(site, [searchOf(site, "2026-11-17", "a")]));
    expect((await connectionOf(site)).id).toBe(site.connectionId);
    await as(site, "sites.search_engines.disconnect", { provider: "google", numbers: "delete" });
    expect((await askSeo(site)).providers[0]).toMatchObject({ state: "not_connected", queries: [], fresh_until: null });
    await purge();
    expect(await numbersOf(site.connectionId)).toBe(0);
    expect(await db().searchPurge.count({ where: { siteId: site.id } })).toBe(0);
    expect(
      await refused(as(site, "sites.search_engines.disconnect", { provider: "google", numbers: "keep" })),
    ).toMatchObject({
      code: "not_found",
    });
  },
);

alone(
  "the end of one connection does not end others of the same person, whose consents Google ends together",
  async () => {
    const one = await withNumbers();
    const other = await withNumbers(one.owner);
    const before = server.revoked.length;
    await as(one, "sites.search_engines.disconnect", { provider: "google", numbers: "delete" });
    await purge();
    expect(server.revoked.length).toBe(before);
    await as(other, "sites.search_engines.disconnect", { provider: "google", numbers: "delete" });
    await purge();
    expect(server.revoked.length).toBe(before + 1);
  },
);

alone("a token that cannot be revoked now is tried again for a day", async () => {
  const site = await withNumbers();
  await as(site, "sites.search_engines.disconnect", { provider: "google", numbers: "delete" });
  server.instead = [
    {
      path: "/revoke",
      answers: [
        { status: 503, body: {} },
        { status: 503, body: {} },
      ],
    },
  ];
  const left = () => db().searchPurge.count({ where: { siteId: site.id } });
  await purge();
  expect(await left()).toBe(1);
  await purgeSearch(new Date(Date.now() + 25 * 3600_000));
  server.instead = [];
  expect(await left()).toBe(0);
});

alone("a deleted site leaves no search data, and its consent is revoked", async () => {
  const site = await withNumbers();
  const before = server.revoked.length;
  await db().$transaction((tx) => deleteSite(tx, site.id, SEARCH_TIME));
  await purge();
  expect([await numbersOf(site.connectionId), server.revoked.length]).toEqual([0, before + 1]);
});

alone("a consent ends with the membership of the person who gave it", async () => {
  const site = await withNumbers();
  await makeMember(site.id, "owner");
  await db().membership.deleteMany({ where: { siteId: site.id, personId: site.ownerId } });
  await db().searchConnection.update({ where: { id: site.connectionId }, data: { nextFetchAt: SEARCH_TIME } });
  const before = server.requests.length;
  expect(await fetchSite(site)).toMatchObject({ problem: "left", token: null });
  expect(server.requests.length).toBe(before);
  const revoked = server.revoked.length;
  await purge();
  expect(server.revoked.length).toBe(revoked + 1);
});

alone("a sealed token of another site or provider does not open, and the connection is broken", async () => {
  const [site, other] = [await withNumbers(), await withNumbers()];
  const { token } = await connectionOf(other);
  await db().searchConnection.update({ where: { id: site.connectionId }, data: { token, nextFetchAt: SEARCH_TIME } });
  const before = server.requests.length;
  expect(await fetchSite(site)).toMatchObject({ problem: "unreadable" });
  expect(server.requests.length).toBe(before);
});

alone("search data older than the retention limit is deleted, and not fetched again", async () => {
  const site = await searchSite();
  const searches = [searchOf(site, "2026-11-17", "new"), searchOf(site, "2026-03-01", "old")];
  await connectSite(server, site, accountOf(site, searches));
  const { id } = await fetchSite(site);
  await db().site.update({ where: { id: site.id }, data: { keepMonths: 6 } });
  expect(await numbersOf(id)).toBe(8);
  await deleteExpiredEvents(SEARCH_TIME);
  expect(await numbersOf(id)).toBe(4);
  await db().searchConnection.update({ where: { id }, data: { nextFetchAt: SEARCH_TIME } });
  server.queries = [];
  await fetchSite(site);
  expect([server.queries[0]?.startDate, await numbersOf(id)]).toEqual(["2026-05-20", 4]);
});

alone("a public dashboard has no search data of the site", async () => {
  const site = await withNumbers();
  await db().site.update({ where: { id: site.id }, data: { public: true } });
  const asked = { input: { site_id: site.id, period: "28d" as const }, now: SEARCH_TIME };
  await expect(queryPublicSite(randomUUID())(seo, asked)).rejects.toMatchObject({ code: "insufficient_scope" });
  expect((await askSeo(site)).providers).toHaveLength(2);
});

alone(
  "opportunities are queries at positions 4 to 20 that are clicked less than others at the same position",
  async () => {
    const site = await searchSite();
    const queries = [
      { query: "good at 5", clicks: 30, impressions: 300, position: 5.2 },
      { query: "poor at 5", clicks: 5, impressions: 500, position: 4.8 },
      { query: "few impressions", clicks: 0, impressions: 49, position: 5 },
      { query: "top", clicks: 1, impressions: 500, position: 3.4 },
      { query: "alone at 9", clicks: 0, impressions: 400, position: 9 },
      { query: "good at 20", clicks: 50, impressions: 500, position: 20.3 },
      { query: "poor at 20", clicks: 10, impressions: 500, position: 19.6 },
      { query: "too far", clicks: 0, impressions: 500, position: 21 },
      { query: "good too far", clicks: 50, impressions: 500, position: 21.4 },
    ];
    await connectSite(
      server,
      site,
      accountOf(
        site,
        queries.map((numbers) => searchOf(site, "2026-11-17", numbers.query, numbers)),
      ),
    );
    await fetchSite(site);
    const { opportunities } = (await askSeo(site)).providers[0] ?? { opportunities: [] };
    const at5 = 35 / 849;
    const at20 = 60 / 1000;
    expect(opportunities.map(({ query, expected_ctr, missed_clicks }) => [query, expected_ctr, missed_clicks])).toEqual(
      [
        ["poor at 20", expect.closeTo(at20, 9), expect.closeTo(500 * at20 - 10, 6)],
        ["poor at 5", expect.closeTo(at5, 9), expect.closeTo(500 * at5 - 5, 6)],
      ],
    );
    expect(opportunities[0]).toMatchObject({ page: "/", clicks: 10, impressions: 500, ctr: 0.02 });
  },
);

alone(
  "a comparison has the days before, without as many of its last days as the range has no numbers of yet",
  async () => {
    const site = await searchSite();
    const searches = [
      searchOf(site, "2026-11-17", "a", { clicks: 3 }),
      searchOf(site, "2026-10-20", "a", { clicks: 2 }),
      searchOf(site, "2026-10-21", "a", { clicks: 9 }),
    ];
    await connectSite(server, site, accountOf(site, searches));
    await fetchSite(site);
    const [provider] = (await askSeo(site, { compare: "previous_period" })).providers;
    expect([provider?.totals.clicks, provider?.comparison?.clicks]).toEqual([3, 2]);
    // Days before the last known one have no impressions; those after it are not known.
    expect(provider?.series.slice(-5).map(({ clicks }) => clicks)).toEqual([0, 3, null, null, null]);
    const custom = { from: "2026-11-11", to: "2026-11-20", compare_from: "2026-10-20", compare_to: "2026-10-21" };
    const [other] = (await askSeo(site, custom)).providers;
    expect(other?.comparison?.clicks).toBe(11);
  },
);

alone("an approved disconnect ends the connection, after the person has seen what it ends", async () => {
  const site = await withNumbers();
  const { token } = await makeClient({
    scopes: ["sites:write"],
    sites: [site],
    personId: site.ownerId,
    now: SEARCH_TIME,
  });
  const input = { site_id: site.id, provider: "google", numbers: "delete" };
  const call = { token, input, approverId: site.ownerId, now: SEARCH_TIME };
  const { status, body } = await callApproved("sites.search_engines.disconnect", call);
  expect([status, body.data]).toEqual([
    200,
    { site_id: site.id, provider: "google", consents_url: "https://myaccount.google.com/connections" },
  ]);
  expect(await db().searchConnection.count({ where: { siteId: site.id } })).toBe(0);
});
