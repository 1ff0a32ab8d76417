import { expect, test } from "vitest";
import { execute } from "@/lib/gateway/execute";
import seo from "@/lib/operations/analytics.seo";
import { db } from "@/lib/platform/db";
import { MINUTE_MS } from "@/lib/platform/durations";
import { dayOfBing } from "@/lib/search/bing";
import { nextFetchAt } from "@/lib/search/fetch";
import { databaseForTests } from "@/lib/testing/database";
import { EMAIL_TIME, emailsTo } from "@/lib/testing/emails";
import { asOwner } from "@/lib/testing/reports";
import { bingError, googleError, type Instead, type Search } from "@/lib/testing/search-provider";
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

/** Fetching search data from servers that speak the documented APIs, with their limits, errors and lies. */

databaseForTests();

const server = await searchProviderForTests();

/** Tests share the provider, whose next account and answers each sets. */
const alone = test.sequential;

const later = (minutes: number) => new Date(SEARCH_TIME.getTime() + minutes * MINUTE_MS);

/** Returns the answer about one provider, over the last 28 days. */
async function ask(site: SearchSite, provider: "google" | "bing" = "google", input: object = {}) {
  const { data } = await execute(seo, asOwner(site, { period: "28d", provider, ...input }, SEARCH_TIME));
  return data.providers[0] as (typeof data.providers)[number];
}

async function connected(
  searches: (site: SearchSite) => Search[],
  more: { provider?: "google" | "bing"; finalUntil?: string } = {},
) {
  const { provider = "google", ...account } = more;
  const site = await searchSite();
  expect(await connectSite(server, site, accountOf(site, searches(site), account), provider)).toBe("connected");
  return site;
}

/** Answers in place of the right ones, until a test is over. */
async function instead<T>(path: string, answers: Instead[], work: () => Promise<T>): Promise<T> {
  server.instead = [{ path, answers }];
  try {
    return await work();
  } finally {
    server.instead = [];
  }
}

/** Numbers of 7 queries on 3 pages over 4 days, some of them asked by few people. */
const manySearches = (site: SearchSite): Search[] =>
  ["2026-11-14", "2026-11-15", "2026-11-16", "2026-11-17"].flatMap((day, index) =>
    [0, 1, 2, 3, 4, 5, 6].flatMap((number) => {
      const numbers = { clicks: (number * 3 + index) % 5, impressions: 10 + number * 7, position: 1 + number * 2.5 };
      const first = searchOf(site, day, `query ${number}`, { ...numbers, path: `/page-${number % 3}` });
      const second = searchOf(site, day, `query ${number}`, {
        ...numbers,
        impressions: 3,
        position: 20,
        path: "/other",
      });
      return [first, ...(number % 2 === 0 ? [second] : []), { ...first, query: `rare ${number}`, anonymous: true }];
    }),
  );

alone("a report has the numbers of the provider, however many rows are in one answer", async () => {
  const site = await connected(manySearches);
  server.mostRows = 3;
  const { fault, succeededAt } = await fetchSite(site, { rowsPerCall: 4 });
  server.mostRows = 25_000;
  expect([fault, succeededAt]).toEqual([null, SEARCH_TIME]);
  const searches = manySearches(site);
  const asked = searches.filter(({ anonymous }) => !anonymous);
  // The property is shown once where two pages of it are.
  const once = searches.filter(({ page }) => !page.endsWith("/other"));
  const sum = (rows: Search[], of: (row: Search) => number) => rows.reduce((all, row) => all + of(row), 0);
  const impressionsOf = (rows: Search[]) => sum(rows, ({ impressions }) => impressions);
  const answer = await ask(site);
  expect(answer.totals).toEqual({
    clicks: sum(searches, ({ clicks }) => clicks),
    impressions: impressionsOf(once),
    ctr: sum(searches, ({ clicks }) => clicks) / impressionsOf(once),
    position: expect.closeTo(sum(once, (row) => row.position * row.impressions) / impressionsOf(once), 6),
  });
  expect(answer.unattributed).toMatchObject({
    clicks: sum(
      searches.filter(({ anonymous }) => anonymous),
      ({ clicks }) => clicks,
    ),
    impressions: impressionsOf(searches.filter(({ anonymous }) => anonymous)),
  });
  expect(answer.queries).toHaveLength(7);
  for (const { query, clicks, impressions, position, page } of answer.queries) {
    const rows = asked.filter((row) => row.query === query);
    const shown = rows.filter((row) => !row.page.endsWith("/other"));
    expect([clicks, impressions]).toEqual([sum(rows, (row) => row.clicks), impressionsOf(shown)]);
    expect(position).toBeCloseTo(shown[0]?.position ?? 0, 6);
    expect(page).toBe(new URL(shown[0]?.page ?? "").pathname);
  }
  for (const { page, clicks, impressions } of answer.pages) {
    const rows = searches.filter((row) => new URL(row.page).pathname === page);
    expect([clicks, impressions]).toEqual([sum(rows, (row) => row.clicks), impressionsOf(rows)]);
  }
  expect(answer.pages.map(({ page }) => page).sort()).toEqual(["/other", "/page-0", "/page-1", "/page-2"]);
  expect(answer).toMatchObject({ state: "connected", fresh_until: "2026-11-17", about: "Fetched every night." });
  expect(answer.series.reduce((all, { clicks }) => all + (clicks ?? 0), 0)).toBe(answer.totals.clicks);
  const { meta } = (await execute(seo, asOwner(site, { period: "28d" }, SEARCH_TIME))).data;
  expect(meta.truncated).toBe(false);
});

alone("the search data of a disabled site is not fetched, and the next fetch is not waited for", async () => {
  const site = await connected((one) => [searchOf(one, "2026-11-16", "a")]);
  const before = server.queries.length;
  const due = (await fetchSite(site, { now: new Date(0) })).nextFetchAt;
  await db().site.update({ where: { id: site.id }, data: { disabledAt: SEARCH_TIME } });
  expect((await fetchSite(site)).nextFetchAt).toEqual(due);
  expect(server.queries.length).toBe(before);
  await db().site.update({ where: { id: site.id }, data: { disabledAt: null } });
  expect((await fetchSite(site)).nextFetchAt).not.toEqual(due);
});

alone("reading the same days again changes nothing, and asks only for what is new", async () => {
  const site = await connected((one) => [searchOf(one, "2026-11-16", "a"), searchOf(one, "2026-11-17", "a")], {
    finalUntil: "2026-11-16",
  });
  const { nextFetchAt: night } = await fetchSite(site);
  expect(night?.getTime()).toBeGreaterThan(SEARCH_TIME.getTime());
  expect((await ask(site)).fresh_until).toBe("2026-11-16");
  const first = await ask(site);
  const before = server.queries.length;
  await fetchSite(site, { now: later(24 * 60) });
  expect(server.queries.slice(before).map(({ dimensions }) => dimensions)).toEqual([["date"], ["date"]]);
  expect(await ask(site)).toEqual(first);
  // A day that was corrected, and one that is final now, are read.
  server.account.searches[0] = searchOf(site, "2026-11-16", "b", { clicks: 4 });
  server.account.finalUntil = "2026-11-17";
  await fetchSite(site, { now: later(48 * 60) });
  const { queries, totals, fresh_until } = await ask(site);
  expect([fresh_until, totals.clicks]).toEqual(["2026-11-17", 5]);
  expect(queries.map(({ query, clicks }) => [query, clicks])).toEqual([
    ["b", 4],
    ["a", 1],
  ]);
});

alone("the last 16 months are fetched in steps, the newest days first", async () => {
  const days = Array.from({ length: 40 }, (_, number) =>
    new Date(Date.UTC(2026, 9, 1 + number)).toISOString().slice(0, 10),
  );
  const site = await connected((one) => days.map((day) => searchOf(one, day, "a")));
  const before = server.queries.length;
  const halted = await fetchSite(site, { fetchMs: 0 });
  expect(server.queries[before]).toMatchObject({ startDate: "2025-07-20", endDate: "2026-11-20", dataState: "final" });
  expect(halted.nextFetchAt).toEqual(later(1));
  expect(await ask(site)).toMatchObject({ totals: { clicks: 17 }, queries: [], unattributed: { clicks: null } });
  await fetchSite(site, { now: later(1) });
  const read = server.queries.slice(before).filter(({ dimensions }) => (dimensions as string[]).includes("page"));
  expect(read.map(({ startDate }) => startDate)).toEqual([...read.map(({ startDate }) => startDate)].sort().reverse());
  expect((await ask(site, "google", { period: "all" })).queries[0]?.clicks ?? 0).toBeLessThanOrEqual(40);
  expect(
    (await ask(site, "google", { from: "2026-10-01", to: "2026-11-20", period: "custom" })).queries[0]?.clicks,
  ).toBe(40);
});

alone("an access token that expires in the middle of a fetch is renewed, and the fetch goes on", async () => {
  const site = await connected((one) => [searchOf(one, "2026-11-17", "a")]);
  const before = server.requests.length;
  const row = await instead(
    "searchAnalytics",
    [{ status: 401, body: googleError(401, "authError", "UNAUTHENTICATED") }],
    () => fetchSite(site),
  );
  expect([row.fault, row.problem]).toEqual([null, null]);
  expect(server.requests.slice(before).filter((request) => request.endsWith("/token"))).toHaveLength(2);
  expect((await ask(site)).queries).toHaveLength(1);
});

alone("a refresh token that the provider replaces is stored before it is needed", async () => {
  const site = await connected((one) => [searchOf(one, "2026-11-17", "a")]);
  server.rotates = true;
  await fetchSite(site);
  const again = await fetchSite(site, { now: later(24 * 60) });
  server.rotates = false;
  expect([again.problem, again.succeededAt]).toEqual([null, later(24 * 60)]);
});

alone("a quota error ends a fetch, and the next one continues where it stopped, after the wait", async () => {
  const site = await connected((one) => ["15", "16", "17"].map((day) => searchOf(one, `2026-11-${day}`, "a")));
  // The provider answers about the days, and about all three kinds of rows of the newest one.
  server.meanwhile = async () => {
    const pairs = server.queries.filter(({ dimensions }) => (dimensions as string[]).length === 3).length;
    if (pairs >= 2)
      server.instead = [
        {
          path: "searchAnalytics",
          answers: [{ status: 403, body: googleError(403, "quotaExceeded", "PERMISSION_DENIED") }],
        },
      ];
  };
  server.queries = [];
  const halted = await fetchSite(site);
  server.meanwhile = null;
  server.instead = [];
  expect(halted).toMatchObject({ fault: "quota", problem: null, failures: 1, nextFetchAt: later(15) });
  expect(await nextFetchAt()).not.toBeNull();
  const answer = await ask(site);
  expect([answer.state, answer.queries[0]?.clicks]).toEqual(["connected", 1]);
  expect(answer.about).toBe(
    "Google Search Console has answered enough for now. The next fetch continues where this one stopped.",
  );
  server.queries = [];
  expect(await fetchSite(site, { now: later(14) })).toMatchObject({ fault: "quota" });
  expect(server.queries).toEqual([]);
  expect(await fetchSite(site, { now: later(15) })).toMatchObject({ fault: null, failures: 0 });
  expect(server.queries.filter(({ startDate }) => startDate === "2026-11-17")).toEqual([]);
  expect((await ask(site)).queries[0]?.clicks).toBe(3);
});

alone("a provider that asks to wait is not called before, and repeated failures wait longer", async () => {
  const site = await connected((one) => [searchOf(one, "2026-11-17", "a")]);
  const busy = [{ status: 429, body: {}, headers: { "retry-after": "7200" } }];
  expect(await instead("searchAnalytics", busy, () => fetchSite(site))).toMatchObject({
    fault: "quota",
    nextFetchAt: later(120),
  });
  const down = () => instead("/token", [{ status: 503, body: {} }], () => fetchSite(site, { now: later(120) }));
  expect(await down()).toMatchObject({ fault: "unreachable", failures: 2, nextFetchAt: later(130) });
});

alone("a revoked consent marks the connection as broken, keeps its numbers, and emails the owners once", async () => {
  const site = await connected((one) => [searchOf(one, "2026-11-17", "a")]);
  await fetchSite(site);
  server.revokeAll();
  await db().searchConnection.update({
    where: { id: (await connectionOf(site)).id },
    data: { nextFetchAt: EMAIL_TIME },
  });
  const broken = await fetchSite(site, { now: EMAIL_TIME });
  expect(broken).toMatchObject({ problem: "revoked", token: null, nextFetchAt: null });
  await fetchSite(site, { now: EMAIL_TIME });
  const emails = await emailsTo(site.owner.email);
  expect(emails.map(({ subject }) => subject)).toHaveLength(1);
  expect(emails[0]?.text).toContain("no longer accepts the consent: it was revoked, or it expired. Connect it again.");
  expect(emails[0]?.text).toContain(`/sites/${site.id}/settings/search`);
  const answer = await ask(site);
  expect([answer.state, answer.connected, answer.queries.length]).toEqual(["broken", false, 1]);
  expect(await connectSite(server, site, accountOf(site))).toBe("connected");
  expect((await connectionOf(site)).problem).toBeNull();
  expect((await ask(site)).queries).toHaveLength(1);
});

alone("a property that the account may no longer read marks the connection as broken", async () => {
  const site = await connected(() => []);
  server.account.google = [];
  expect(await fetchSite(site)).toMatchObject({ problem: "no_access", token: null });
});

const row = (more: object) => ({
  rows: [{ keys: ["2026-11-17"], clicks: 1, impressions: 2, ctr: 0.5, position: 1, ...more }],
});

alone("an answer that the documentation does not describe stores nothing, and the connection stays", async () => {
  const site = await connected((one) => [searchOf(one, "2026-11-17", "a")]);
  await fetchSite(site);
  const known = await ask(site);
  const wrong = [
    "no JSON",
    { rows: "many" },
    row({ keys: [] }),
    row({ keys: ["2026-11-17", "a query"] }),
    row({ keys: ["2019-01-01"] }),
    row({ keys: ["17 November"] }),
    { rows: [row({}).rows[0], row({}).rows[0]] },
    row({ clicks: -1 }),
    row({ clicks: 1e300 }),
    row({ impressions: "2" }),
    row({ position: null }),
    { rows: Array.from({ length: 25_001 }, () => row({}).rows[0]) },
  ];
  for (const body of wrong) {
    await db().searchConnection.update({
      where: { id: (await connectionOf(site)).id },
      data: { nextFetchAt: SEARCH_TIME },
    });
    const now = await instead("searchAnalytics", [{ status: 200, body }], () => fetchSite(site));
    expect(now).toMatchObject({ fault: "malformed", problem: null });
    expect(now.nextFetchAt?.getTime()).toBeGreaterThan(later(600).getTime());
  }
  expect(await ask(site)).toEqual({
    ...known,
    about: "Google Search Console has answered what its documentation does not describe. It is tried again.",
  });
});

alone("an answer without an end is read up to its limit only", { tags: "full" }, async () => {
  const site = await connected(() => []);
  const body = `{"rows": ["${"x".repeat(33 * 1024 * 1024)}"]}`;
  expect(await instead("searchAnalytics", [{ status: 200, body }], () => fetchSite(site))).toMatchObject({
    fault: "malformed",
  });
});

alone("a provider that always has one more row is asked for at most 50,000 of a day", async () => {
  const site = await connected(() => []);
  const rows = Array.from({ length: 25_000 }, () => row({}).rows[0]);
  const before = server.requests.length;
  await instead(
    "searchAnalytics",
    Array.from({ length: 9 }, () => ({ status: 200, body: { rows } })),
    () => fetchSite(site, { fetchMs: 0 }),
  );
  expect(server.requests.slice(before).filter((request) => request.includes("searchAnalytics"))).toHaveLength(2);
});

alone("personal data in queries and pages is replaced before it is stored", async () => {
  const site = await connected((one) => [
    searchOf(one, "2026-11-17", "invoice of ann.example@mail.example"),
    searchOf(one, "2026-11-17", "hidden \u202e text", { path: "/reset?token=abc" }),
    searchOf(one, "2026-11-17", "foreign", { page: "https://other.example/a" }),
  ]);
  await fetchSite(site);
  const { queries, pages } = await ask(site);
  expect(queries.map(({ query, page }) => [query, page]).sort()).toEqual([
    ["foreign", null],
    ["hidden  text", "/reset"],
    ["invoice of (email)", "/"],
  ]);
  expect(pages.map(({ page }) => page).sort()).toEqual(["/", "/reset"]);
});

alone("what was asked for before a connection ended is not stored", async () => {
  const site = await connected((one) => [searchOf(one, "2026-11-17", "a")]);
  const { id } = await connectionOf(site);
  server.meanwhile = async (path) => {
    if (path.includes("searchAnalytics")) await db().searchConnection.deleteMany({ where: { id } });
  };
  await fetchSite(site).catch(() => null);
  server.meanwhile = null;
  const [{ rows } = { rows: -1 }] = await db().$queryRaw<{ rows: number }[]>`
    SELECT (SELECT count(*) FROM search_day WHERE connection_id = ${id})::int
      + (SELECT count(*) FROM search_number WHERE connection_id = ${id})::int AS rows`;
  expect(rows).toBe(0);
});

alone("Bing's queries and pages are those of its days and weeks, and totals those of its days", async () => {
  const site = await connected(
    (one) => [
      searchOf(one, "2026-11-07", "a", { clicks: 3, impressions: 30, position: 2, path: "/a" }),
      searchOf(one, "2026-11-14", "a", { clicks: 1, impressions: 10, position: 6, path: "/a" }),
      searchOf(one, "2026-11-14", "b", { clicks: 0, impressions: 5, position: 9, path: "/b" }),
      searchOf(one, "2024-01-01", "old"),
    ],
    { provider: "bing" },
  );
  expect(await fetchSite(site, { provider: "bing" })).toMatchObject({ fault: null, property: `https://${site.host}/` });
  const answer = await ask(site, "bing");
  expect(answer).toMatchObject({
    state: "connected",
    fresh_until: "2026-11-14",
    totals: { clicks: 4, impressions: 45, position: null },
    unattributed: { clicks: null, impressions: null },
    queries: [
      { query: "a", page: null, clicks: 4, impressions: 40, position: 3 },
      { query: "b", page: null, clicks: 0, impressions: 5, position: 9 },
    ],
    pages: [
      { page: "/a", clicks: 4, impressions: 40 },
      { page: "/b", clicks: 0, impressions: 5 },
    ],
  });
  await db().searchConnection.update({
    where: { id: (await connectionOf(site, "bing")).id },
    data: { nextFetchAt: SEARCH_TIME },
  });
  await fetchSite(site, { provider: "bing" });
  expect(await ask(site, "bing")).toEqual(answer);
});

alone("errors in the body of Bing's answers are read whatever the status is", async () => {
  const site = await connected((one) => [searchOf(one, "2026-11-14", "a")], { provider: "bing" });
  const after = async (status: number, body: object) => {
    await db().searchConnection.update({
      where: { id: (await connectionOf(site, "bing")).id },
      data: { nextFetchAt: SEARCH_TIME },
    });
    const { fault, problem } = await instead("GetQueryStats", [{ status, body }], () =>
      fetchSite(site, { provider: "bing" }),
    );
    return fault ?? problem;
  };
  expect(await after(200, bingError(4, "ThrottleUser"))).toBe("quota");
  expect(await after(400, bingError(5, "ThrottleHost"))).toBe("quota");
  expect(await after(400, bingError(1, "InternalError"))).toBe("unreachable");
  expect(
    await after(200, { d: [{ Query: "a", Date: "yesterday", Clicks: 1, Impressions: 1, AvgImpressionPosition: 1 }] }),
  ).toBe("malformed");
  // An invalid token is renewed once.
  expect(await after(400, bingError(3, "InvalidToken"))).toBeNull();
  expect(await after(400, bingError(14, "NotAuthorized"))).toBe("no_access");
});

test.each([
  ["/Date(1316156400000-0700)/", "2011-09-16"],
  ["/Date(1316156400000)/", "2011-09-16"],
  ["/Date(1316131200000+0000)/", "2011-09-16"],
  ["/Date(1763107200000-0800)/", "2025-11-14"],
  ["/Date(1763073000000+0530)/", "2025-11-14"],
  ["2011-09-16", null],
  ["/Date(99999999999999999)/", null],
  ["/Date(-1)/", null],
  ["/Date(NaN)/", null],
])("Bing's date %s is %s", (text, day) => {
  expect(dayOfBing(text)).toBe(day);
});
