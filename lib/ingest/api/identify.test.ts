import { expect, test } from "vitest";
import type { SentEvent } from "@/lib/ingest/event/sent-event";
import { saltsFor } from "@/lib/ingest/identity/salts";
import { decideEvent } from "@/lib/ingest/pipeline/pipeline";
import type { Sender } from "@/lib/ingest/pipeline/sender";
import { type IngestSite, siteByDomain } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { GroupCommit } from "@/lib/ingest/store/writer";
import { call } from "@/lib/testing/calls";
import { postEvents, siteWithKey } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, makeSite, send, type TestSite } from "@/lib/testing/world";

/** A user id sent during a visit joins it: later events with only this user id continue the visit. */

const GOOGLE = "https://www.google.com/";
const BOT = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";
const HEADLESS = CHROME.replace("Chrome/", "HeadlessChrome/");
const at = (minute: number) => new Date(Date.UTC(2025, 2, 4, 12, minute)).toISOString();

/** The visits of a site by start time: pageviews, interactions and source. */
const visitsOf = async (site: TestSite) => {
  const rows = await rowsOf<{ pageviews: number; interactions: number; source: string }[]>`
    SELECT pageviews, interactions, source FROM facts.visit AS visit
    JOIN facts.referrer AS referrer ON referrer.site_id = visit.site_id AND referrer.id = visit.referrer
    WHERE visit.site_id = ${site.id} ORDER BY started, pageviews DESC, interactions DESC`;
  return rows.map(({ pageviews, interactions, source }) => [pageviews, interactions, source]);
};

const context = (session_id: string, more: object = {}) => ({ context: { session_id, ...more } });
const page = ({ host }: TestSite, session: string, referrer?: string) => ({
  type: "page",
  ...context(session, { page: { url: `https://${host}/`, referrer } }),
});
const identify = (session: string, user_id: string, more: object = {}) => ({
  type: "identify",
  user_id,
  ...context(session, more),
});
const event = (user_id: string, more: object = {}) => ({ type: "event", name: "Signup", user_id, ...more });

test("after identify, an event with only the user id continues the session's visit and keeps its source", async () => {
  const { site, key } = await siteWithKey();
  const sent = [page(site, "s-1", GOOGLE), identify("s-1", "u-1"), event("u-1"), page(site, "s-1")];
  for (const [minute, one] of sent.entries()) await postEvents([one], { key, at: at(minute) });
  expect(await visitsOf(site)).toEqual([[2, 1, "Google"]]);
  const day = { site_id: site.id, from: "2025-03-04", to: "2025-03-04" };
  const { metrics } = await call(site.ownerId, "analytics.overview", day);
  expect(metrics).toMatchObject({ visitors: 1, visits: 1, pageviews: 2, events: 1 });
  const { rows } = await call(site.ownerId, "analytics.explore", { ...day, metrics: "events", dimensions: "source" });
  expect(rows).toMatchObject([{ values: ["Google"], events: 1 }]);
});

test("identify joins within one batch and across concurrent batches", async () => {
  const { site, key } = await siteWithKey();
  await postEvents([page(site, "s-1", GOOGLE), identify("s-1", "u-1"), event("u-1")], { key, at: at(0) });
  expect(await visitsOf(site)).toEqual([[1, 1, "Google"]]);

  const other = await siteWithKey();
  const sent = [page(other.site, "s-1", GOOGLE), identify("s-1", "u-1"), event("u-1")];
  await Promise.all(sent.map((one) => postEvents([one], { key: other.key, at: at(0) })));
  expect(await visitsOf(other.site)).toEqual([[1, 1, "Google"]]);
});

test("Events API: a backend event with only the user id continues the visit of the identified browser", async () => {
  const site = await makeSite();
  const view = { name: "pageview", url: `https://${site.host}/`, referrer: GOOGLE };
  await send(site, view, { at: at(0) });
  await send(site, { name: "identify", path: "/", user_id: "u-1" }, { at: at(1) });
  await send(site, { name: "Paid", user_id: "u-1" }, { at: at(2), address: "198.51.100.9" });
  expect(await visitsOf(site)).toEqual([[1, 1, "Google"]]);
});

test("a second user identified in the same browser or session starts a new visit, and neither gets the other's events", async () => {
  const { site, key } = await siteWithKey();
  const sent = [
    page(site, "s-1", GOOGLE),
    identify("s-1", "u-1"),
    identify("s-1", "u-2"),
    event("u-2"),
    event("u-1"),
    event("u-1"),
  ];
  for (const [minute, one] of sent.entries()) await postEvents([one], { key, at: at(minute) });
  expect(await visitsOf(site)).toEqual([
    [1, 2, "Google"],
    [0, 1, ""],
  ]);

  const browser = await makeSite();
  await send(browser, { name: "pageview", url: `https://${browser.host}/`, referrer: GOOGLE }, { at: at(0) });
  for (const [minute, user_id] of ["u-1", "u-2", "u-1"].entries()) {
    await send(browser, { name: "Signup", user_id }, { at: at(1 + minute) });
  }
  expect(await visitsOf(browser)).toEqual([
    [1, 2, "Google"],
    [0, 1, ""],
  ]);
});

test.each([
  ["a declared bot", BOT],
  ["a headless browser", HEADLESS],
])("%s never joins a visit, and no event joins its visit, whatever user id it sends", async (_, user_agent) => {
  const { site, key } = await siteWithKey();
  const sent = [
    page(site, "s-1", GOOGLE),
    identify("s-2", "u-1", { user_agent }),
    { ...event("u-1"), context: { user_agent } },
    event("u-1"),
  ];
  for (const [minute, one] of sent.entries()) await postEvents([one], { key, at: at(minute) });
  const [visit] = await visitsOf(site);
  expect(visit).toEqual([1, 0, "Google"]);

  const joined = await siteWithKey();
  await postEvents([page(joined.site, "s-1", GOOGLE), identify("s-1", "u-1")], { key: joined.key, at: at(0) });
  await postEvents([{ ...event("u-1"), context: { user_agent } }], { key: joined.key, at: at(1) });
  await postEvents([event("u-1")], { key: joined.key, at: at(2) });
  const [first, second] = await visitsOf(joined.site);
  expect([first, second?.slice(0, 2)]).toEqual([
    [1, 1, "Google"],
    [0, 1],
  ]);
});

test("after 30 minutes without events, the user's next event starts a new visit", async () => {
  const { site, key } = await siteWithKey();
  await postEvents([page(site, "s-1", GOOGLE), identify("s-1", "u-1")], { key, at: at(0) });
  await postEvents([event("u-1")], { key, at: at(31) });
  expect(await visitsOf(site)).toEqual([
    [1, 0, "Google"],
    [0, 1, ""],
  ]);
});

test("of two visits in which a user was identified, the more recently active one is continued", async () => {
  const { site, key } = await siteWithKey();
  await postEvents([page(site, "s-long", "https://long.example.org/")], { key, at: at(0) });
  await postEvents([page(site, "s-short", GOOGLE), identify("s-short", "u-1")], { key, at: at(1) });
  for (const minute of [20, 40]) await postEvents([page(site, "s-long")], { key, at: at(minute) });
  // The short visit has ended.
  await postEvents([identify("s-long", "u-1")], { key, at: at(41) });
  await postEvents([event("u-1")], { key, at: at(42) });
  expect(await visitsOf(site)).toEqual([
    [3, 1, "long.example.org"],
    [1, 0, "Google"],
  ]);
});

test("a visit that one process joined to a user is continued by another process", async () => {
  const { host, ...rest } = await makeSite();
  const site = (await siteByDomain(host)) as IngestSite;
  const eventOf = async (read: Partial<SentEvent>, sender: Partial<Sender> = {}) => {
    const now = new Date(at(0));
    const from = { address: null, userAgent: "", gpc: false, vouched: true as const, ...sender };
    const timestamp = reserveTimestamps(now, 1);
    const row = decideEvent(
      { name: "Signup", ...read },
      { site, salts: await saltsFor(site, now), sender: from, now, timestamp },
    );
    if ("filtered" in row) throw new Error(row.filtered);
    return row;
  };
  const [one, other] = [new GroupCommit(), new GroupCommit()];
  const view = { name: "pageview", url: `https://${host}/`, referrer: GOOGLE, session_id: "s-1" };
  await one.write(await eventOf(view));
  await other.write(await eventOf({ name: "identify", type: "identify", session_id: "s-1", user_id: "u-1" }));
  expect(await one.write(await eventOf({ user_id: "u-1" }))).toMatchObject({ visit: "continued" });
  // Concurrently, so that the second write waits for the locks of the user.
  const both = [await eventOf({ user_id: "u-1" }), await eventOf({ user_id: "u-1", session_id: "s-1" })] as const;
  await Promise.all([one.write(both[0]), other.write(both[1])]);
  expect(await visitsOf({ host, ...rest })).toEqual([[1, 3, "Google"]]);
});
