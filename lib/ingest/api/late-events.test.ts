import fc from "fast-check";
import { expect, test } from "vitest";
import { deleteOldTimedVisitors } from "@/lib/ingest/store/timed-visitors";
import analyticsCampaigns from "@/lib/operations/analytics.campaigns";
import analyticsChart from "@/lib/operations/analytics.chart";
import analyticsJourneys from "@/lib/operations/analytics.journeys";
import analyticsOverview from "@/lib/operations/analytics.overview";
import { ingestPool } from "@/lib/platform/pool";
import { postEvents, siteWithKey } from "@/lib/testing/measuring";
import { reportAsOwner } from "@/lib/testing/reports";
import { runs, SEED } from "@/lib/testing/tier";
import { CHROME, type TestSite } from "@/lib/testing/world";

/** Events that are delivered later than they happened, with the time in `context.timestamp`. */

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const HEADLESS = CHROME.replace("Chrome/", "HeadlessChrome/");
const NOW = "2025-03-04T12:00:00.000Z";
const HOUR = 3600_000;

interface Told {
  /** Milliseconds before `NOW`. */
  ago: number;
  page: string | null;
  who: { user_id?: string; session_id?: string };
  referrer: string | null;
  agent: string;
}

const told: fc.Arbitrary<Told> = fc.record({
  ago: fc.integer({ min: 1, max: 130 * 60 }).map((seconds) => seconds * 1000),
  page: fc.option(fc.constantFrom("/", "/a", "/b"), { freq: 4 }),
  who: fc.constantFrom<Told["who"]>(
    { session_id: "s1" },
    { session_id: "s2" },
    { user_id: "u1" },
    { user_id: "u2" },
    { user_id: "u1", session_id: "s1" },
    { user_id: "u2", session_id: "s1" },
    { user_id: "u2", session_id: "s2" },
  ),
  referrer: fc.constantFrom(null, "https://www.google.com/", "https://news.example.net/"),
  agent: fc.constantFrom(CHROME, CHROME, FIREFOX, HEADLESS),
});

function eventOf({ page, who, referrer, agent }: Told, { host }: TestSite) {
  const { session_id, ...user } = who;
  const context = {
    user_agent: agent,
    session_id,
    page: page ? { url: `https://${host}${page}`, referrer } : { referrer },
  };
  return page ? { type: "page", ...user, context } : { type: "event", name: "Signup", ...user, context };
}

/** The visits of a site with all that reports read of them, without the ids that differ between sites. */
async function visitsOf({ id }: TestSite) {
  const { rows } = await ingestPool().query(
    `SELECT visit.started, visit.duration_ms, visit.pageviews, visit.interactions, visit.traffic, visit.user_hash IS NOT NULL AS named,
       entry.path AS entry, exit.path AS exit, referrer.source, agent.browser,
       (SELECT array_agg(concat_ws(' ', date_trunc('milliseconds', event.ts), page.path, event.type, event.traffic, source.source,
          browser.browser, event.user_hash IS NOT NULL, event.visitor_id = visit.visitor_id) ORDER BY event.ts)
        FROM facts.event AS event
        LEFT JOIN facts.page AS page ON page.site_id = $1 AND page.id = event.page
        LEFT JOIN facts.referrer AS source ON source.site_id = $1 AND source.id = event.referrer
        LEFT JOIN facts.agent AS browser ON browser.site_id = $1 AND browser.id = event.agent
        WHERE event.site_id = $1 AND event.visit_id = visit.visit_id) AS events
     FROM facts.visit AS visit
     LEFT JOIN facts.page AS entry ON entry.site_id = $1 AND entry.id = visit.entry_page
     LEFT JOIN facts.page AS exit ON exit.site_id = $1 AND exit.id = visit.exit_page
     LEFT JOIN facts.referrer AS referrer ON referrer.site_id = $1 AND referrer.id = visit.referrer
     LEFT JOIN facts.agent AS agent ON agent.site_id = $1 AND agent.id = visit.agent
     WHERE visit.site_id = $1`,
    [id],
  );
  return rows.map((row) => JSON.stringify(row)).sort();
}

const REPORTS = [analyticsOverview, analyticsChart, analyticsJourneys, analyticsCampaigns];
const reportsOf = (site: TestSite) =>
  Promise.all(
    REPORTS.map((report) => reportAsOwner(report, site, { from: "2025-03-02", to: "2025-03-04", traffic: "all" }, NOW)),
  );

/** Sends events when they happen, without a time. */
async function live(events: readonly Told[]) {
  const { site, key } = await siteWithKey();
  for (const one of [...events].sort((a, b) => b.ago - a.ago)) {
    const { status } = await postEvents([eventOf(one, site)], { key, at: new Date(Date.parse(NOW) - one.ago) });
    expect(status).toBe(200);
  }
  return site;
}

/** Sends events at once, each with its time, in groups and in the given order. */
async function delayed(groups: readonly (readonly Told[])[]) {
  const { site, key } = await siteWithKey();
  for (const group of groups) {
    const events = group.map((one) => {
      const event = eventOf(one, site);
      const timestamp = new Date(Date.parse(NOW) - one.ago).toISOString();
      return { ...event, context: { ...event.context, timestamp } };
    });
    const { status } = await postEvents(events, { key, at: NOW });
    expect(status).toBe(200);
  }
  return site;
}

const aDay = fc.uniqueArray(told, { minLength: 2, maxLength: 14, selector: ({ ago }) => ago }).chain((events) =>
  fc.record({
    events: fc.constant(events),
    order: fc.shuffledSubarray(events, { minLength: events.length }),
    size: fc.integer({ min: 1, max: 4 }),
  }),
);

const inGroups = <One>(all: readonly One[], size: number): One[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));

test("events that arrive late in any order make the same visits as events that arrive when they happen", () =>
  fc.assert(
    fc.asyncProperty(aDay, async ({ events, order, size }) => {
      const [asLive, asDelayed] = [await live(events), await delayed(inGroups(order, size))];
      expect(await visitsOf(asDelayed)).toEqual(await visitsOf(asLive));
    }),
    { numRuns: runs({ quick: 25, full: 300 }), seed: SEED },
  ));

test("late events of one batch that depend on each other by what is stored alone are placed together", async () => {
  const told = (ago: number, who: Told["who"]): Told => ({ ago, page: null, who, referrer: null, agent: CHROME });
  const [first, second, third] = [
    told(2000, { user_id: "u", session_id: "s" }),
    told(4000, { user_id: "u" }),
    told(3000, { session_id: "s" }),
  ] as const;
  const events = [told(1000, { session_id: "s" }), first, second, third];
  const [asLive, asDelayed] = [await live(events), await delayed([[first], [events[0] as Told], [second, third]])];
  expect(await visitsOf(asDelayed)).toEqual(await visitsOf(asLive));
});

test("reports of late events are those of live ones, also after a report has been read before the last arrived", () =>
  fc.assert(
    fc.asyncProperty(aDay, async ({ events, order }) => {
      const asLive = await live(events);
      const { site, key } = await siteWithKey();
      for (const [index, one] of order.entries()) {
        const event = eventOf(one, site);
        const timestamp = (Date.parse(NOW) - one.ago) / 1000;
        await postEvents([{ ...event, context: { ...event.context, timestamp } }], { key, at: NOW });
        if (index === order.length - 2) await reportsOf(site);
      }
      const text = async (of: TestSite) =>
        JSON.stringify(await reportsOf(of))
          .replaceAll(of.host, "host")
          .replaceAll(`"site_id":${of.id},`, "");
      expect(await text(site)).toBe(await text(asLive));
    }),
    { numRuns: runs({ quick: 2, full: 15 }), seed: SEED },
  ));

const at = (ago: number) => new Date(Date.parse(NOW) - ago).toISOString();
const page = (site: TestSite, path: string, context: object, more: object = {}) => ({
  type: "page",
  context: { page: { url: `https://${site.host}${path}` }, ...context },
  ...more,
});
const daysOf = async ({ id }: TestSite) =>
  (
    await ingestPool().query(
      `SELECT to_char(event.ts, 'DD') AS day, page.path, event.visitor_id IS NOT NULL AS visited
       FROM facts.event JOIN facts.page ON page.site_id = $1 AND page.id = event.page WHERE event.site_id = $1 ORDER BY path`,
      [id],
    )
  ).rows.map(({ day, path, visited }) => `${day} ${path}${visited ? "" : " without a visitor"}`);

test("an event of up to 72 hours ago counts on its day; an older or a future one counts at its arrival, with a warning", async () => {
  const { site, key } = await siteWithKey();
  const times = [72 * HOUR, 72 * HOUR + 1, -1, 10 * HOUR];
  const { body } = await postEvents(
    times.map((ago, index) => page(site, `/${index}`, { timestamp: at(ago) }, { user_id: `u${index}` })),
    { key, at: NOW },
  );
  expect(await daysOf(site)).toEqual(["01 /0", "04 /1", "04 /2", "04 /3"]);
  expect(body.results.map(({ warnings }) => warnings?.map(({ path, message }) => `${path} ${message}`))).toEqual([
    undefined,
    ["context.timestamp is more than 72 hours ago; the event counts at its arrival"],
    ["context.timestamp is in the future; the event counts at its arrival"],
    undefined,
  ]);
});

test("a late event of yesterday joins its visitor of yesterday; of an older day, only a user id tells whose it is", async () => {
  const { site, key } = await siteWithKey();
  await postEvents([page(site, "/live", { session_id: "s" })], { key, at: at(24 * HOUR) });
  const { body } = await postEvents(
    [
      page(site, "/yesterday", { session_id: "s", timestamp: at(24 * HOUR - 60_000) }),
      page(site, "/older", { session_id: "s", timestamp: at(50 * HOUR) }),
      page(site, "/user", { session_id: "s", timestamp: at(50 * HOUR) }, { user_id: "u" }),
    ],
    { key, at: NOW },
  );
  expect(await daysOf(site)).toEqual(["03 /live", "02 /older without a visitor", "02 /user", "03 /yesterday"]);
  expect(body.results.map(({ warnings = [] }) => warnings.length)).toEqual([0, 1, 0]);
  const { rows } = await ingestPool().query("SELECT pageviews FROM facts.visit WHERE site_id = $1 ORDER BY started", [
    site.id,
  ]);
  expect(rows).toEqual([{ pageviews: 1 }, { pageviews: 2 }]);
});

test("no salt of a past day outlives the design for the sake of late events", async () => {
  const { site, key } = await siteWithKey();
  await postEvents([page(site, "/", { session_id: "s", timestamp: at(24 * HOUR) })], { key, at: NOW });
  const { rows } = await ingestPool().query("SELECT day::text, expires_at FROM site_salt WHERE site_id = $1", [
    site.id,
  ]);
  const yesterday = rows.find(({ day }) => day === "2025-03-03");
  expect(yesterday.expires_at).toEqual(new Date("2025-03-05T00:00:00Z"));
});

test("what is kept to place late events is deleted after four days", async () => {
  const site = await delayed([[{ ago: HOUR, page: "/", who: { user_id: "u" }, referrer: null, agent: CHROME }]]);
  const kept = async () =>
    (await ingestPool().query("SELECT FROM facts.timed_visitor WHERE site_id = $1", [site.id])).rowCount;
  await deleteOldTimedVisitors(new Date(Date.parse(NOW) + 95 * HOUR - 1));
  expect(await kept()).toBe(1);
  await deleteOldTimedVisitors(new Date(Date.parse(NOW) + 95 * HOUR + 1));
  expect(await kept()).toBe(0);
});

test("a repeated late event is a duplicate, and a late event between two visits makes them one", async () => {
  const { site, key } = await siteWithKey();
  const send = (path: string, ago: number, event_id: string) =>
    postEvents([page(site, path, { timestamp: at(ago) }, { user_id: "u", event_id })], { key, at: NOW });
  await send("/1", 100 * 60_000, "first-event-1");
  await send("/3", 50 * 60_000, "third-event-1");
  const visits = () => ingestPool().query("SELECT pageviews FROM facts.visit WHERE site_id = $1", [site.id]);
  expect((await visits()).rowCount).toBe(2);
  for (const expected of ["stored", "duplicate"]) {
    const { body } = await send("/2", 75 * 60_000, "second-event");
    expect(body.results[0]?.status).toBe(expected);
  }
  expect((await visits()).rows).toEqual([{ pageviews: 3 }]);
});

test("a time that is none makes its event invalid, and never a server error", async () => {
  const { site, key } = await siteWithKey();
  const times = ["yesterday", "", "2025-03-04", "2025-02-30T00:00:00Z", -1, 1e300, true, {}, [], "2025-03-04T12:00:00"];
  const { status, body } = await postEvents(
    times.map((timestamp) => page(site, "/", { timestamp })),
    { key, at: NOW },
  );
  expect(status).toBe(422);
  expect(new Set(body.results.map(({ pointer }) => pointer?.replace(/\d+/, "0")))).toEqual(
    new Set(["/events/0/context/timestamp"]),
  );
});

test("many late events of one visitor at once, from several requests, lose and double nothing", async () => {
  const { site, key } = await siteWithKey();
  const events = Array.from({ length: 60 }, (_, index) =>
    page(site, `/${index}`, { timestamp: at(index * 60_000) }, { user_id: index % 2 ? "u" : "v" }),
  );
  const groups = inGroups([...events].reverse(), 5);
  // Each second group arrives when the others are stored, and falls between them.
  for (const wave of [0, 1]) {
    const sent = groups.filter((_, index) => index % 2 === wave);
    const answers = await Promise.all(sent.map((group) => postEvents(group, { key, at: NOW })));
    expect(answers.map(({ body }) => body.counts.stored)).toEqual(sent.map((group) => group.length));
  }
  const { rows } = await ingestPool().query(
    "SELECT pageviews, duration_ms FROM facts.visit WHERE site_id = $1 ORDER BY started",
    [site.id],
  );
  expect(rows).toEqual([
    { pageviews: 30, duration_ms: 58 * 60_000 },
    { pageviews: 30, duration_ms: 58 * 60_000 },
  ]);
});
