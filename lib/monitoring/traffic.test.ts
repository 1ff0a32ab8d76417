import { expect, test } from "vitest";
import { changedFacts } from "@/lib/ingest/store/sequence";
import { chanceOfFewer, chanceOfMore, isRefusing, judgeHour, statisticsReady } from "@/lib/monitoring/anomalies";
import { listIncidents } from "@/lib/monitoring/incidents";
import { readMonitorStatus } from "@/lib/monitoring/monitor";
import { watchSite } from "@/lib/monitoring/traffic";
import { db } from "@/lib/platform/db";
import { DAY_MS, HOUR_MS } from "@/lib/platform/durations";
import { ingestPool } from "@/lib/platform/pool";
import { call } from "@/lib/testing/calls";
import { emailsOf } from "@/lib/testing/emails";
import { makeSite } from "@/lib/testing/world";

/** Traffic incidents, with generated visits and a simulated clock. */

/** A monitored site in Berlin, created on this day. */
async function monitored(start: Date) {
  const site = await makeSite({ timezone: "Europe/Berlin", now: start });
  await call(site.ownerId, "sites.monitoring", { site_id: site.id, enabled: true }, start);
  // Its page is never checked here.
  await db().monitor.updateMany({ where: { siteId: site.id }, data: { nextCheckAt: new Date("2200-01-01") } });
  return site;
}

/** Inserts this many human visits, evenly distributed over the hour that starts then. */
async function visits(siteId: number, hour: Date, count: number): Promise<void> {
  await ingestPool().query("SELECT facts.add_month($1::date)", [hour.toISOString().slice(0, 10)]);
  await ingestPool().query(
    `INSERT INTO facts.visit (started, visit_id, visitor_id, site_id, duration_ms, entry_page, exit_page, referrer,
       campaign, place, agent, pageviews, interactions, traffic)
     SELECT $2::timestamptz + n * interval '1 hour' / $3::int, id, id, $1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1
     FROM generate_series(0, $3::int - 1) AS n, LATERAL (SELECT extract(epoch FROM $2::timestamptz)::bigint * 1000 + n AS id)`,
    [siteId, hour, count],
  );
  // Copies look for new visits only where there are new events.
  await ingestPool().query(changedFacts({ siteId, start: hour, end: new Date(hour.getTime() + HOUR_MS) }));
}

/** Inserts about `count` visits from 09:00 to 10:00 Berlin winter time, on every day of these weeks. */
async function mornings(siteId: number, first: Date, weeks: number, count: number): Promise<void> {
  for (let day = 0; day < 7 * weeks; day++) {
    await visits(siteId, new Date(first.getTime() + day * DAY_MS), count + (day % 5));
  }
}

const causes = async (siteId: number) =>
  (await listIncidents(siteId)).map(({ cause, startedAt, endedAt }) => ({ cause, startedAt, endedAt }));

test("silence at a usually busy hour opens one incident with one email; the next visit closes it", async () => {
  const first = new Date("2050-01-03T08:00:00Z");
  const site = await monitored(first);
  await mornings(site.id, first, 5, 14);
  const morning = first.getTime() + 35 * DAY_MS;
  const last = new Date(morning - DAY_MS + HOUR_MS - HOUR_MS / 16);
  const at = (minutes: number) => new Date(morning + minutes * 60_000);
  // Silence at night is usual, and so is that of the first minutes of the morning.
  for (const minutes of [-600, 0, 20]) await watchSite(site.id, at(minutes));
  expect(await causes(site.id)).toEqual([]);
  for (const minutes of [50, 60, 65, 600]) await watchSite(site.id, at(minutes));
  const [incident] = await causes(site.id);
  expect(await causes(site.id)).toMatchObject([{ cause: "no_data", endedAt: null }]);
  expect(Math.abs((incident?.startedAt.getTime() ?? 0) - last.getTime())).toBeLessThan(HOUR_MS / 10);
  const emails = await emailsOf(site.ownerId);
  expect(emails.map(({ subject }) => subject)).toEqual([`${site.host}: no visits received`]);
  expect(emails[0]?.text).toMatch(/In the same hours of the last 4 weeks there were at least 1\d visits\./);
  await visits(site.id, at(620), 1);
  await watchSite(site.id, at(640));
  expect(await causes(site.id)).toMatchObject([{ cause: "no_data", endedAt: at(620) }]);
});

test("a spike and a drop are detected for a full hour, compared with the same hour of past weeks", async () => {
  const first = new Date("2051-01-02T08:00:00Z");
  const site = await monitored(first);
  await mornings(site.id, first, 4, 60);
  const morning = (days: number, minutes = 0) => new Date(first.getTime() + (28 + days) * DAY_MS + minutes * 60_000);
  const days = [62, 300, 12];
  for (const [day, count] of days.entries()) {
    await visits(site.id, morning(day), count);
    await visits(site.id, morning(day, 60), 1);
    for (const minutes of [64, 69, 124]) await watchSite(site.id, morning(day, minutes));
  }
  expect((await causes(site.id)).reverse()).toEqual([
    { cause: "spike", startedAt: morning(1), endedAt: morning(1, 120) },
    { cause: "drop", startedAt: morning(2), endedAt: morning(2, 120) },
  ]);
  const emails = await emailsOf(site.ownerId);
  expect(emails.map(({ subject }) => subject)).toEqual([`${site.host}: traffic spike`, `${site.host}: traffic drop`]);
  expect(emails[0]?.text).toContain("300 visits from 31 January, 09:00 to 10:00");
});

test("a site with less than two weeks of data opens no incident, whatever its traffic", async () => {
  const first = new Date("2052-01-01T08:00:00Z");
  const site = await monitored(first);
  await mornings(site.id, first, 1, 500);
  await visits(site.id, new Date(first.getTime() + 7 * DAY_MS), 5000);
  for (const hours of [1.1, 30, 50]) await watchSite(site.id, new Date(first.getTime() + 7 * DAY_MS + hours * HOUR_MS));
  expect(await causes(site.id)).toEqual([]);
  expect((await readMonitorStatus(site.id))?.hour).toMatchObject({ verdict: "unknown" });
});

test("many refused events in an hour open one incident, which closes when events are accepted again", async () => {
  const first = new Date("2053-01-06T08:00:00Z");
  const site = await monitored(first);
  await visits(site.id, first, 1);
  const count = (day: string, outcome: string, events: number) =>
    ingestPool().query(
      `INSERT INTO facts.intake AS kept (site_id, day, outcome, reason, events) VALUES ($1, $2, $3, '', $4)
       ON CONFLICT (site_id, day, outcome, reason) DO UPDATE SET events = kept.events + excluded.events`,
      [site.id, day, outcome, events],
    );
  await count("2053-01-05", "stored", 5000);
  await count("2053-01-05", "refused", 40);
  const at = (hours: number) => new Date(first.getTime() + hours * HOUR_MS + 5 * 60_000);
  await watchSite(site.id, at(0));
  await count("2053-01-06", "stored", 95);
  await count("2053-01-06", "refused", 2);
  await watchSite(site.id, at(1));
  expect(await causes(site.id)).toEqual([]);
  await count("2053-01-06", "stored", 60);
  await count("2053-01-06", "refused", 40);
  for (const hours of [2, 2.3]) await watchSite(site.id, at(hours));
  await count("2053-01-07", "stored", 100);
  await watchSite(site.id, at(17));
  expect(await causes(site.id)).toMatchObject([{ cause: "refused_events", endedAt: at(17) }]);
  expect((await emailsOf(site.ownerId)).map(({ text }) => text)).toEqual([
    expect.stringContaining("40 of the last 100 events were refused. Usually 1% are."),
    expect.stringContaining("events are accepted again"),
  ]);
});

test("the Poisson tail probabilities equal the sums of their terms", async () => {
  await statisticsReady();
  const sum = (rate: number, from: number, to: number) => {
    let [term, total] = [Math.exp(-rate), 0];
    for (let n = 0; n <= to; n++) {
      if (n >= from) total += term;
      term *= rate / (n + 1);
    }
    return total;
  };
  for (const [n, rate] of [
    [0, 3],
    [30, 10],
    [7, 20],
    [40, 40],
  ] as const) {
    expect(chanceOfFewer(n, rate)).toBeCloseTo(sum(rate, 0, n), 10);
    expect(chanceOfMore(n, rate)).toBeCloseTo(sum(rate, n, 400), 10);
  }
});

test("an hour is compared with the highest and lowest past count, and only with enough past data", async () => {
  await statisticsReady();
  expect(judgeHour(300, [100, 40, 60, 55])).toBe("spike");
  expect(judgeHour(290, [100, 40, 60, 55])).toBe("usual");
  expect(judgeHour(29, [1, 0, 0, 2])).toBe("usual");
  expect(judgeHour(30, [1, 0, 0, 2])).toBe("spike");
  expect(judgeHour(10, [30, 90, 80, 70])).toBe("drop");
  expect(judgeHour(15, [30, 90, 80, 70])).toBe("usual");
  expect(judgeHour(1, [19, 90, 80, 70])).toBe("usual");
  expect(judgeHour(900, [10])).toBe("unknown");
  expect(isRefusing({ all: 20, refused: 6 }, { all: 0, refused: 0 })).toBe(true);
  expect(isRefusing({ all: 19, refused: 19 }, { all: 0, refused: 0 })).toBe(false);
  expect(isRefusing({ all: 100, refused: 40 }, { all: 1000, refused: 200 })).toBe(false);
});
