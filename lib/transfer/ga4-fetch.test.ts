import { test as concurrent, expect } from "vitest";
import { db } from "@/lib/platform/db";
import { startConnecting } from "@/lib/search/connect";
import { purgeSearch } from "@/lib/search/purge";
import { call, makeMember, refused } from "@/lib/testing/calls";
import { dataDirForTests } from "@/lib/testing/data-dir";
import { databaseForTests } from "@/lib/testing/database";
import { type AnalyticsData, googleError } from "@/lib/testing/search-provider";
import {
  accountOf,
  comeBack,
  connectSite,
  SEARCH_TIME as NOW,
  type SearchSite,
  searchProviderForTests,
  searchSite,
} from "@/lib/testing/search-site";
import { fetchTurn } from "@/lib/transfer/ga4-fetch";
import { nextImportAt, runImports } from "@/lib/transfer/import-runs";

/** The Data API of Google Analytics, against a server that speaks it. One after the other: the job works for all sites. */

const test = concurrent.sequential;

databaseForTests();
dataDirForTests();
const server = await searchProviderForTests();

const GERMANY = {
  countryId: "DE",
  sessionSource: "google",
  sessionMedium: "organic",
  deviceCategory: "mobile",
  browser: "Chrome",
};
const FRANCE = {
  countryId: "FR",
  sessionSource: "(direct)",
  sessionMedium: "(none)",
  deviceCategory: "desktop",
  browser: "Safari",
};

/** Two days with visits, and one without between them. */
const SHOP: AnalyticsData = {
  property: "properties/11",
  name: 'Shop, "main"',
  timezone: "America/New_York",
  sessions: [
    { day: "2026-11-01", user: "ann", views: ["/", "/b", "/"], events: ["purchase"], seconds: 90, dimensions: GERMANY },
    { day: "2026-11-01", user: "ann", views: ['/b?x="1,2"'], seconds: 2, dimensions: GERMANY },
    { day: "2026-11-01", user: "ben", views: ["/"], seconds: 4, dimensions: FRANCE },
    {
      day: "2026-11-03",
      user: "ann",
      views: ["/b", "/c"],
      events: ["purchase", "sign_up"],
      seconds: 30,
      dimensions: FRANCE,
    },
  ],
};
const RANGE = { property: "properties/11", from: "2026-11-01", to: "2026-11-03" };

async function connected(data: AnalyticsData = SHOP): Promise<SearchSite> {
  const site = await searchSite();
  const others = ["A", "B", "C"].map((name) => ({ name, properties: [] }));
  server.account = accountOf(site, [], { analytics: [...others, { name: "Company", properties: [data] }] });
  const address = await startConnecting(site.owner, site.id, "google", NOW, "import");
  expect(await comeBack(site.owner, server.consent(address).searchParams)).toEqual({
    outcome: "connected",
    path: `/sites/${site.id}/settings/import?provider=google&outcome=connected`,
  });
  return site;
}

const ask = (site: SearchSite, operation: string, input: object = {}, personId = site.ownerId) =>
  call(personId, operation, { site_id: site.id, ...input }, NOW);
const latest = async (site: SearchSite) => (await ask(site, "sites.imports.list")).runs[0];
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

/** Fetches, checks and imports. @returns the run once it is checked, and what was imported */
async function whole(site: SearchSite, input: object = RANGE) {
  await ask(site, "sites.imports.fetch", input);
  await runImports(NOW);
  const checked = await latest(site);
  if (checked.state !== "ready") return { checked, imports: [] };
  await ask(site, "sites.imports.start", { import_id: checked.import_id });
  await runImports(NOW);
  return { checked, imports: (await ask(site, "sites.imports.list")).imports };
}

const sumsOf = async (site: SearchSite) => {
  const { metrics, panels } = await ask(site, "analytics.overview", { from: RANGE.from, to: RANGE.to });
  return { metrics, panels };
};

/** Answers in place of the right ones, until a test is over. */
async function instead<T>(
  path: string,
  answers: { status: number; body: unknown; headers?: Record<string, string> }[],
  work: () => Promise<T>,
) {
  server.instead = [{ path, answers }];
  try {
    return await work();
  } finally {
    server.instead = [];
  }
}

test("days of Google Analytics are fetched, previewed and imported with its exact numbers, and undone", async () => {
  const site = await connected();
  expect(await ask(site, "sites.imports.properties")).toMatchObject({
    state: "connected",
    properties: [{ property: "properties/11", name: 'Shop, "main"', account: "Company" }],
  });
  const { checked, imports } = await whole(site);
  expect(checked).toMatchObject({
    state: "ready",
    source: "ga4",
    problem: null,
    sums: { from: "2026-11-01", to: "2026-11-03", days: 2, visitors: 3, visits: 4, pageviews: 7, events: 3 },
  });
  expect(checked.sums.notes.join("\n")).toMatch(/Its days are those of America\/New_York, and the site's those of UTC/);
  expect(imports).toMatchObject([{ source: "ga4", days: 2, visitors: 3, visits: 4, pageviews: 7, events: 3 }]);
  const { metrics, panels } = await sumsOf(site);
  expect(metrics).toMatchObject({
    visitors: 3,
    visits: 4,
    pageviews: 7,
    events: 3,
    bounce_rate: 0.5,
    visit_duration: 31.5,
  });
  const of = (panel: string) =>
    panels[panel].map(({ value, visitors }: { value: string; visitors: number }) => `${value}: ${visitors}`).sort();
  expect(of("countries")).toEqual(["DE: 1", "FR: 2"]);
  expect(of("sources")).toEqual(["Google: 1", "null: 2"]);
  expect(of("pages")).toEqual(["/: 2", "/b: 3", "/c: 1"]);
  expect(await db().importFile.count({ where: { siteId: site.id } })).toBe(0);
  await whole(site);
  expect((await sumsOf(site)).metrics).toEqual(metrics);
  await ask(site, "sites.imports.delete", { source: "ga4" });
  expect((await ask(site, "sites.imports.list")).imports).toEqual([]);
});

test("reports are read page by page, and expired access tokens are renewed", async () => {
  const site = await connected();
  server.mostRows = 1;
  const expired = new Set<number>();
  server.meanwhile = async (path) => {
    const { length } = server.queries;
    if (!path.includes("runReport") || length % 7 !== 3 || expired.has(length)) return;
    expired.add(length);
    server.expireAccess();
  };
  const { checked } = await whole(site);
  server.mostRows = 25_000;
  server.meanwhile = null;
  expect(expired.size).toBeGreaterThan(5);
  expect(checked).toMatchObject({ state: "ready", sums: { visitors: 3, visits: 4, pageviews: 7, events: 3 } });
});

test("a quota stops a fetch until Google allows it, and it continues with the days that are missing", async () => {
  const site = await connected();
  const quota = {
    status: 429,
    body: googleError(429, "rateLimitExceeded", "RESOURCE_EXHAUSTED"),
    headers: { "retry-after": "7200" },
  };
  await ask(site, "sites.imports.fetch", RANGE);
  server.meanwhile = async (path) => {
    // After the totals and the first day, and in the middle of the next one.
    if (path.includes("runReport") && server.queries.length === before + 20)
      server.instead = [{ path: "runReport", answers: [quota] }];
  };
  const before = server.queries.length;
  await runImports(NOW);
  server.meanwhile = null;
  expect(await latest(site)).toMatchObject({
    state: "fetching",
    progress: 0.5,
    problem: expect.stringMatching(/answered enough for now/),
  });
  expect(await nextImportAt()).toEqual(later(120));
  await runImports(later(119));
  expect(await latest(site)).toMatchObject({ state: "fetching" });
  const first = server.queries.length;
  await runImports(later(121));
  expect(await latest(site)).toMatchObject({
    state: "ready",
    problem: null,
    sums: { visits: 4, pageviews: 7, events: 3 },
  });
  const days = server.queries.slice(first).map((query) => (query.dateRanges as { startDate: string }[])[0]?.startDate);
  expect([...new Set(days)]).toEqual(["2026-11-03"]);
});

test("a fetch that a restart interrupts continues, and no day is in its files twice", async () => {
  const site = await connected();
  const { import_id: id } = await ask(site, "sites.imports.fetch", RANGE);
  const turn = async () => fetchTurn(await db().importRun.findUniqueOrThrow({ where: { id } }), NOW, -1);
  await turn();
  const saved = await db().importRun.findUniqueOrThrow({ where: { id } });
  await fetchTurn(saved, NOW, 60_000);
  // The process has ended before it saved anything of that turn: its files are longer than the run says.
  await db().importRun.update({ where: { id }, data: { state: "fetching", fetched: saved.fetched ?? {} } });
  await runImports(NOW);
  expect(await latest(site)).toMatchObject({
    state: "ready",
    sums: { days: 2, visitors: 3, visits: 4, pageviews: 7, events: 3 },
  });
});

test("the preview says which answers are samples, lack rows or put values together", async () => {
  const metadata = {
    samplingMetadatas: [{ samplesReadCount: "10", samplingSpaceSize: "100" }],
    subjectToThresholding: true,
    dataLossFromOtherRow: true,
  };
  const { checked } = await whole(await connected({ ...SHOP, metadata }));
  expect(checked.sums.notes.slice(0, 3)).toEqual([
    "27 of 27 reports are samples: Google did not count all events.",
    "27 of 27 reports lack rows of few users, which Google withholds.",
    "27 of 27 reports have rare values in one row (other).",
  ]);
});

test("a revoked consent, a lost permission and an owner who left end a fetch with the way out", async () => {
  const problemOf = async (change: (site: SearchSite) => Promise<unknown> | unknown) => {
    const site = await connected();
    await ask(site, "sites.imports.fetch", RANGE);
    await change(site);
    await runImports(NOW);
    const { state, problem } = (await db().importRun.findFirst({ where: { siteId: site.id } })) ?? {};
    expect([state, await db().importConnection.count({ where: { siteId: site.id } })]).toEqual(["failed", 0]);
    return problem;
  };
  expect(await problemOf(() => server.revokeAll())).toMatch(/no longer accepts the consent.*Connect it again/);
  expect(
    await problemOf((site) => {
      server.account.analytics = [];
      return site;
    }),
  ).toMatch(/no longer has access to the property/);
  expect(
    await problemOf((site) => db().membership.updateMany({ where: { siteId: site.id }, data: { role: "manager" } })),
  ).toMatch(/no longer a member|no longer an owner/);
});

test("what Google does not document is tried again, and a property without visits is said", async () => {
  const site = await connected();
  await ask(site, "sites.imports.fetch", RANGE);
  await instead("runReport", [{ status: 200, body: { rows: [{ dimensionValues: [], metricValues: [] }] } }], () =>
    runImports(NOW),
  );
  expect(await latest(site)).toMatchObject({ state: "fetching", problem: expect.stringMatching(/does not describe/) });
  await runImports(later(2));
  expect(await latest(site)).toMatchObject({ state: "ready", problem: null });
  const empty = await connected();
  const { checked } = await whole(empty, { ...RANGE, from: "2026-10-01", to: "2026-10-31" });
  expect(checked).toMatchObject({ state: "failed", problem: expect.stringMatching(/has no visits from 2026-10-01/) });
});

test("a day outside of the range, more metrics than asked for, and huge numbers are not believed", async () => {
  const row = (day: string, ...metrics: string[]) => ({
    dimensionValues: [{ value: day }],
    metricValues: metrics.map((value) => ({ value })),
  });
  for (const rows of [
    [row("20251101", "1", "1", "1", "0", "0")],
    [row("20261101", "1", "1")],
    [row("../../x", "1", "1", "1", "0", "0")],
  ]) {
    const site = await connected();
    await ask(site, "sites.imports.fetch", RANGE);
    await instead("runReport", [{ status: 200, body: { rows, rowCount: 1 } }], () => runImports(NOW));
    expect(await latest(site)).toMatchObject({
      state: "fetching",
      problem: expect.stringMatching(/does not describe/),
    });
    await ask(site, "sites.imports.disconnect");
  }
});

test("only what the connected account has is fetched, within days that have ended", async () => {
  const site = await connected();
  const fault = async (input: object) =>
    `${(await refused(ask(site, "sites.imports.fetch", { ...RANGE, ...input })))?.message}`;
  expect(await fault({ property: "properties/99" })).toMatch(/property must be one of/);
  expect(await fault({ to: "2026-11-20" })).toMatch(/to must be before today/);
  expect(await fault({ from: "2026-11-03", to: "2026-11-01" })).toMatch(/to must not be before the first day/);
  expect(await fault({ from: "2009-11-03" })).toMatch(/from must be 2015-08-14 or later/);
  const other = await searchSite();
  expect((await refused(ask(other, "sites.imports.fetch", RANGE)))?.message).toMatch(/No Google account is connected/);
  const manager = await makeMember(site.id, "manager");
  for (const operation of ["sites.imports.fetch", "sites.imports.properties", "sites.imports.disconnect"])
    expect((await refused(ask(site, operation, operation.endsWith("fetch") ? RANGE : {}, manager)))?.code).toBe(
      "role_denied",
    );
  await ask(site, "sites.imports.fetch", RANGE);
  expect((await refused(ask(site, "sites.imports.fetch", RANGE)))?.code).toBe("operation_in_progress");
  await ask(site, "sites.imports.disconnect");
});

test("reading Google Analytics is asked for only by an import, and ends with it: the consent is revoked", async () => {
  const site = await connected();
  const scopeOf = async (purpose: "search" | "import") =>
    new URL(await startConnecting(site.owner, site.id, "google", NOW, purpose)).searchParams.get("scope");
  expect(await scopeOf("import")).toBe("https://www.googleapis.com/auth/analytics.readonly");
  expect(await scopeOf("search")).toBe("https://www.googleapis.com/auth/webmasters.readonly");
  // The way back of one purpose cannot be used for the other.
  const address = new URL(await startConnecting(site.owner, site.id, "google", NOW));
  const params = server.consent(address.href).searchParams;
  params.set("state", (params.get("state") ?? "").replace(".", ".import."));
  expect((await comeBack(site.owner, params)).outcome).toBe("expired");
  await purgeSearch(new Date(Date.now() + 60_000));
  const before = server.revoked.length;
  expect(await ask(site, "sites.imports.disconnect")).toEqual({ disconnected: true });
  expect(await ask(site, "sites.imports.disconnect")).toEqual({ disconnected: false });
  await purgeSearch(new Date(Date.now() + 120_000));
  expect(server.revoked.length).toBe(before + 1);
  expect(JSON.stringify(await ask(site, "sites.imports.list"))).not.toContain("token");
});

test("a site's Search Console keeps its consent when the import of the same account is disconnected", async () => {
  const site = await connected();
  expect(await connectSite(server, site, accountOf(site))).toBe("connected");
  const before = server.revoked.length;
  await ask(site, "sites.imports.disconnect");
  await purgeSearch(new Date(Date.now() + 180_000));
  expect(server.revoked.length).toBe(before);
});

test("a person who leaves out the permission, or has no property, is told", async () => {
  const site = await searchSite();
  server.account = accountOf(site);
  const connect = async () => {
    const address = await startConnecting(site.owner, site.id, "google", NOW, "import");
    return (await comeBack(site.owner, server.consent(address).searchParams)).outcome;
  };
  server.withoutPermission = true;
  expect(await connect()).toBe("no_permission");
  server.withoutPermission = false;
  expect(await connect()).toBe("no_property");
});
