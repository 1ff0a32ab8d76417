import { expect, test } from "vitest";
import { execute } from "@/lib/gateway/execute";
import { deleteExpiredMonthSalts } from "@/lib/ingest/identity/salts";
import { reloadSite } from "@/lib/ingest/site/sites";
import { eraseLeftoverReturningVisitors, eraseReturningVisitors } from "@/lib/ingest/store/returning-visitors";
import retention from "@/lib/operations/analytics.retention";
import { db } from "@/lib/platform/db";
import { call } from "@/lib/testing/calls";
import { someoneWaitsFor } from "@/lib/testing/locks";
import { asOwner } from "@/lib/testing/reports";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, makeSite, type SendOptions, send, type TestSite } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:00Z"; // a Wednesday

const ask = async (site: TestSite, input: object = {}, now = NOW) =>
  (await execute(retention, asOwner(site, input, now))).data;
type Answer = Awaited<ReturnType<typeof ask>>;

const came = (site: TestSite, user: string, at: string, more: object = {}, sending: SendOptions = {}) =>
  send(
    site,
    { name: "pageview", url: `https://${site.host}/`, user_id: user, ...more },
    { at: at.includes("T") ? at : `${at}T12:00:00Z`, ...sending },
  );

const counts = ({ cohorts }: Pick<Answer, "cohorts">) =>
  Object.fromEntries(cohorts.map(({ start, cells }) => [start, cells.map(({ visitors }) => visitors)]));

test("visitors are followed from the day of their first visit; periods after the range are null, empty ones 0", async () => {
  const site = await makeSite();
  await came(site, "a", "2025-03-08");
  await came(site, "a", "2025-03-10");
  await came(site, "a", "2025-03-10T18:00:00Z");
  await came(site, "b", "2025-03-08");
  await came(site, "c", "2025-03-09");
  await came(site, "c", "2025-03-12");
  const answer = await ask(site, { from: "2025-03-08", to: "2025-03-12" });
  expect(answer).toMatchObject({ identity: "user_id", cohort: "day", lookback_days: 90, known_before: 0 });
  expect(answer.meta).toMatchObject({ identity: "user_id", interval: "day", partial: true });
  expect(counts(answer)).toEqual({
    "2025-03-08": [2, 0, 1, 0, 0],
    "2025-03-09": [1, 0, 0, 1, null],
    "2025-03-10": [0, 0, 0, null, null],
    "2025-03-11": [0, 0, null, null, null],
    "2025-03-12": [0, null, null, null, null],
  });
  const [first, second, third] = answer.cohorts;
  expect(first?.cells.map(({ rate }) => rate)).toEqual([1, 0, 0.5, 0, 0]);
  // The 12th is not over.
  expect(first?.cells.map(({ partial }) => partial)).toEqual([false, false, false, false, true]);
  expect(second?.cells[3]).toEqual({ visitors: 1, rate: 1, partial: true });
  expect(third?.cells[0]).toEqual({ visitors: 0, rate: null, partial: false });
  expect(answer.average).toEqual([1, 0, 1 / 3, 0, null]);
});

test("visitors active within 90 days before the range are not new; visitors active only earlier are", async () => {
  const site = await makeSite();
  await came(site, "known", "2024-12-08T00:00:00Z");
  await came(site, "known", "2025-03-08");
  await came(site, "long ago", "2024-12-07T23:59:59Z");
  await came(site, "long ago", "2025-03-08");
  await came(site, "only before", "2025-03-07");
  const answer = await ask(site, { from: "2025-03-08", to: "2025-03-09" });
  expect([answer.known_before, answer.cohorts[0]?.visitors]).toEqual([1, 1]);
});

test("the width of cohorts is the chosen one, and the average says on how many visitors it rests", async () => {
  const site = await makeSite();
  for (const user of ["a", "b", "c"]) await came(site, user, "2025-02-18");
  await came(site, "a", "2025-02-25");
  await came(site, "d", "2025-02-26");
  await came(site, "d", "2025-03-05");
  const range = { from: "2025-02-17", to: "2025-03-09" };
  expect((await ask(site, range)).cohort).toBe("week");
  expect((await ask(site, { ...range, cohort: "day" })).cohorts).toHaveLength(21);
  const weekly = await ask(site, { ...range, cohort: "week" });
  expect(counts(weekly)).toEqual({
    "2025-02-17": [3, 1, 0],
    "2025-02-24": [1, 1, null],
    "2025-03-03": [0, null, null],
  });
  expect([weekly.average, weekly.average_of]).toEqual([
    [1, 0.5, 0],
    [4, 4, 3],
  ]);
});

test("a range that is too long for the chosen width is refused with the widths that fit", async () => {
  const site = await makeSite();
  const issueOf = (input: object) =>
    ask(site, input).then(
      () => null,
      ({ details }) => details.issues[0],
    );
  expect(await issueOf({ from: "2024-12-01", to: "2025-03-12", cohort: "day" })).toMatchObject({
    path: "cohort",
    message: expect.stringMatching(/^must be week or month /),
  });
  expect(await issueOf({ from: "2022-01-01", to: "2025-03-12", cohort: "week" })).toMatchObject({
    message: expect.stringMatching(/^must be month /),
  });
  expect(await issueOf({ from: "2022-01-01", to: "2025-03-12", cohort: "month" })).toBeNull();
});

test("more periods than a number has bits are distinguished", async () => {
  const site = await makeSite();
  await came(site, "a", "2019-07-02");
  await came(site, "b", "2024-11-30");
  for (const user of ["a", "b"]) await came(site, user, "2025-02-01");
  await came(site, "b", "2025-03-01");
  const { cohorts, known_before } = await ask(site, { from: "2019-08-01", to: "2025-03-12" });
  expect(cohorts).toHaveLength(68);
  const met = cohorts.filter(({ visitors }) => visitors !== 0);
  expect(met.map(({ start }) => start)).toEqual(["2024-11-01"]);
  expect(met[0]?.cells.slice(0, 6).map(({ visitors }) => visitors)).toEqual([1, 0, 0, 1, 1, null]);
  expect(known_before).toBe(1);
});

test("a visitor first classified as human still matches filters after the visit is reclassified", async () => {
  const site = await makeSite();
  const userAgent = CHROME.replace("Chrome", "HeadlessChrome");
  await came(site, "a", "2025-03-10", { referrer: "https://www.google.com/" });
  await came(site, "a", "2025-03-10T12:01:00Z", {}, { userAgent });
  const range = { from: "2025-03-10", to: "2025-03-10" };
  expect(counts(await ask(site, range))["2025-03-10"]).toEqual([1]);
  expect(counts(await ask(site, { ...range, filters: { source: "Google" } }))["2025-03-10"]).toEqual([1]);
});

const rowsLeft = async (site: TestSite) => {
  const [stored] = await rowsOf<{ rows: number }[]>`
    SELECT count(*)::int AS rows FROM facts.returning_visitor WHERE site_id = ${site.id}`;
  return stored?.rows;
};

test("without user ids and without a monthly salt the report is empty and says why", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-10T12:00:00Z" });
  const answer = await ask(site, { period: "7d", compare: "previous_period" });
  expect(answer).toMatchObject({ identity: "none", cohorts: [], average: [], known_before: 0 });
  expect(answer.identity_means).toContain("user_id");
  expect([await rowsLeft(site), await db().siteMonthSalt.count({ where: { siteId: site.id } })]).toEqual([0, 0]);
});

async function choose(site: TestSite, retentionSalt: boolean) {
  const { site_id, ...before } = await call(site.ownerId, "sites.privacy.get", { site_id: site.id });
  await call(site.ownerId, "sites.privacy.update", { site_id, ...before, retention_salt: retentionSalt });
  if (!retentionSalt) await eraseReturningVisitors(site.id);
}

async function monthly(options: { timezone?: string } = {}): Promise<TestSite> {
  const site = await makeSite(options);
  await choose(site, true);
  return site;
}

const seen = (site: TestSite, last: number, at: string, more: object = {}) =>
  send(
    site,
    { name: "pageview", url: `https://${site.host}/`, ...more },
    { at: at.includes("T") ? at : `${at}T12:00:00Z`, address: `10.9.0.${last}` },
  );

test("with the monthly salt visitors are recognised within the month, and the next month is null", async () => {
  const site = await monthly();
  await seen(site, 1, "2025-02-27");
  await seen(site, 1, "2025-02-28");
  await seen(site, 1, "2025-03-01");
  await seen(site, 2, "2025-02-28");
  await seen(site, 2, "2025-02-28T13:00:00Z");
  const answer = await ask(site, { from: "2025-02-27", to: "2025-03-02" });
  expect(answer).toMatchObject({ identity: "monthly", cohort: "day", lookback_days: null });
  expect(counts(answer)).toEqual({
    "2025-02-27": [1, 1, null, null],
    "2025-02-28": [1, null, null, null],
    "2025-03-01": [1, 0, null, null],
    "2025-03-02": [0, null, null, null],
  });
});

test("the monthly identity accepts filters on source and location of the first visit, and refuses pages and goals", async () => {
  const site = await monthly();
  await seen(site, 1, "2025-03-10", { referrer: "https://www.google.com/" });
  await seen(site, 1, "2025-03-11");
  await seen(site, 2, "2025-03-10");
  const range = { from: "2025-03-10", to: "2025-03-12" };
  expect(counts(await ask(site, { ...range, filters: { source: "Google" } }))["2025-03-10"]).toEqual([1, 1, 0]);
  for (const filters of [{ page: "/" }, { "goal:Signup": "yes" }, { exit_page: "/" }]) {
    await expect(ask(site, { ...range, filters })).rejects.toMatchObject({ code: "invalid_input" });
  }
});

test("the salt of a month is deleted at its end in local time, and the next one recognises no earlier visitor", async () => {
  // In a year that no other test uses: the sweep covers all sites.
  const site = await monthly({ timezone: "Asia/Kathmandu" });
  await seen(site, 1, "2015-03-31T18:14:00Z");
  await seen(site, 1, "2015-03-31T18:15:00Z");
  const months = async () =>
    (await db().siteMonthSalt.findMany({ where: { siteId: site.id } })).map(({ month }) => month.toISOString());
  expect((await months()).sort()).toEqual(["2015-03-01T00:00:00.000Z", "2015-04-01T00:00:00.000Z"]);
  const rows = await rowsOf<{ pseudonym: bigint; day: Date }[]>`
    SELECT pseudonym, day FROM facts.returning_visitor WHERE site_id = ${site.id} ORDER BY day`;
  expect(rows.map(({ day }) => day.toISOString().slice(0, 10))).toEqual(["2015-03-31", "2015-04-01"]);
  expect(rows[0]?.pseudonym).not.toBe(rows[1]?.pseudonym);
  await deleteExpiredMonthSalts(new Date("2015-03-31T18:14:59Z"));
  expect(await months()).toHaveLength(2);
  await deleteExpiredMonthSalts(new Date("2015-03-31T18:15:00Z"));
  expect(await months()).toEqual(["2015-04-01T00:00:00.000Z"]);
});

test("turning it off deletes salts and rows, and later events store none", async () => {
  const site = await monthly();
  await seen(site, 1, "2025-03-10");
  await choose(site, false);
  // Ingest may use the previous setting for ten more seconds.
  await seen(site, 1, "2025-03-11");
  expect([await rowsLeft(site), await db().siteMonthSalt.count({ where: { siteId: site.id } })]).toEqual([0, 0]);
  expect((await ask(site, { period: "7d" })).identity).toBe("none");
});

test("events are stored while the returning visitors of the site are being deleted", async () => {
  const site = await monthly();
  for (const last of [1, 2, 3, 4, 5]) await seen(site, last, "2025-03-10");
  let off: Promise<void> | undefined;
  await db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM facts.returning_visitor WHERE site_id = ${site.id} FOR KEY SHARE`;
    off = choose(site, false);
    await someoneWaitsFor(tx);
    await seen(site, 1, "2025-03-11");
  });
  await off;
  expect(await rowsLeft(site)).toBe(0);
});

/** Simulates a process that ended halfway through the deletion of returning visitors. */
async function endHalfway(site: TestSite) {
  const salts = db().siteMonthSalt.deleteMany({ where: { siteId: site.id } });
  await db().$transaction([salts, db().site.update({ where: { id: site.id }, data: { retentionSalt: false } })]);
}

test("returning visitors are deleted in batches until none is left", async () => {
  const site = await monthly();
  for (const last of [1, 2, 3, 4, 5]) await seen(site, last, "2025-03-10");
  await endHalfway(site);
  await eraseReturningVisitors(site.id, 2);
  expect(await rowsLeft(site)).toBe(0);
});

test("an interrupted deletion is completed later, and its rows do not count after turning it on again", async () => {
  const [chosenAgain, swept, chosen] = [await monthly(), await monthly(), await monthly()];
  for (const site of [chosenAgain, swept, chosen]) {
    for (const last of [1, 2, 3]) await seen(site, last, "2025-03-10");
  }
  await endHalfway(chosenAgain);
  await choose(chosenAgain, true);
  expect(await rowsLeft(chosenAgain)).toBe(0);
  // As after ten seconds.
  await reloadSite(chosenAgain.host, chosenAgain.id, new Date());
  await seen(chosenAgain, 1, "2025-03-11");
  await endHalfway(swept);
  await eraseLeftoverReturningVisitors();
  await eraseReturningVisitors(chosen.id);
  await choose(chosen, true);
  expect([await rowsLeft(chosenAgain), await rowsLeft(swept), await rowsLeft(chosen)]).toEqual([1, 0, 3]);
});
