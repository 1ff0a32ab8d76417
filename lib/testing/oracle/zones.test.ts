import fc from "fast-check";
import { expect, test } from "vitest";
import { bucketLabel, bucketStarts } from "@/lib/analytics/calendar/buckets";
import { days } from "@/lib/analytics/calendar/period";
import type { Interval } from "@/lib/contract/fields";
import { execute } from "@/lib/gateway/execute";
import chart from "@/lib/operations/analytics.chart";
import { db } from "@/lib/platform/db";
import { Temporal } from "@/lib/platform/time";
import { rawEvent } from "@/lib/testing/oracle/actions";
import { clockChanges, DAY, dateAt, MINUTE, plusDays, wall } from "@/lib/testing/oracle/clock";
import type { RawEvent } from "@/lib/testing/oracle/facts";
import { bucketsOf, rangeOf } from "@/lib/testing/oracle/query";
import * as right from "@/lib/testing/oracle/reports";
import { store } from "@/lib/testing/oracle/store";
import { asOwner } from "@/lib/testing/reports";
import { FRESH_SEED, isFull } from "@/lib/testing/tier";

/** Every IANA zone around its clock changes, compared with the wall clock of `Intl`. */

const NOW = Date.parse("2026-01-15T12:00:00Z");
const YEAR = [Date.parse("2025-01-01T00:00:00Z"), Date.parse("2026-01-01T00:00:00Z")] as const;
const ZONES = [...Intl.supportedValuesOf("timeZone"), "UTC"];

/** The clock changes of a zone in a year; a fixed instant when it has none. */
const momentsOf = (zone: string) => {
  const changes = clockChanges(zone, ...YEAR);
  return changes.length > 0 ? changes : [Date.parse("2025-03-30T01:00:00Z")];
};

/** The clock changes of a zone in this year with the local times around them. */
const signature = (zone: string) =>
  momentsOf(zone)
    .map((at) => `${at} ${wall(at, zone)} ${wall(at - MINUTE, zone)}`)
    .join();

/** One of the zones whose clocks show the same throughout this year. */
const UNLIKE = [...new Map(ZONES.map((zone) => [signature(zone), zone])).values()];

const plain = (date: string) => Temporal.PlainDate.from(date);

/** The buckets of the product and of the oracle. */
function both(zone: string, from: string, to: string, interval: Interval) {
  const range = days(plain(from), plain(to), zone, new Date(NOW));
  const ours = bucketStarts(range, interval).map(
    (start) => `${start.toISOString()} ${bucketLabel(start, zone, interval)}`,
  );
  const theirRange = rangeOf({ from, to }, { zone, now: NOW, events: [], goals: [] });
  const theirs = bucketsOf(theirRange, interval).map(({ start, label }) => `${new Date(start).toISOString()} ${label}`);
  return { ours, theirs };
}

test("in every zone, hours and days around both clock changes of a year begin and have labels as on Intl's clock", () => {
  for (const zone of isFull ? ZONES : UNLIKE) {
    for (const change of momentsOf(zone)) {
      const date = dateAt(change, zone);
      for (const day of new Set([dateAt(change - 1, zone), date])) {
        const { ours, theirs } = both(zone, day, day, "hour");
        expect(ours, `${zone} ${day}`).toEqual(theirs);
      }
      const { ours, theirs } = both(zone, plusDays(date, -3), plusDays(date, 3), "day");
      expect(ours, `${zone} ${date}`).toEqual(theirs);
    }
  }
});

test.each([
  ["Pacific/Apia", "2011-12-28", "2012-01-02"], // 30 December does not exist
  ["Pacific/Kiritimati", "1994-12-29", "1995-01-03"], // 31 December 1994 does not exist
  ["Australia/Lord_Howe", "2024-04-06", "2024-04-08"],
  ["Africa/Casablanca", "2024-03-09", "2024-04-15"], // back for Ramadan
  ["Asia/Tehran", "2022-09-20", "2022-09-23"], // at midnight
  ["America/Caracas", "2016-04-30", "2016-05-02"], // permanently, by half an hour
  ["Asia/Pyongyang", "2018-05-03", "2018-05-06"],
])("the days and hours of %s agree with Intl's clock from %s to %s", (zone, from, to) => {
  for (const interval of ["hour", "day", "week", "month"] as const) {
    const { ours, theirs } = both(zone, from, to, interval);
    expect(ours, interval).toEqual(theirs);
  }
});

/** Returns some of these zones, other ones in every run. */
const some = (zones: string[], count: number): string[] =>
  fc
    .sample(fc.shuffledSubarray(zones, { minLength: count, maxLength: count }), { seed: FRESH_SEED, numRuns: 1 })
    .flat();

test("at every clock change, the chart counts each event under the hour and day that Intl's clock showed", async () => {
  const zones = isFull ? UNLIKE : some(UNLIKE, 6);
  const moments = [...new Set(zones.flatMap((zone) => momentsOf(zone)))].sort((a, b) => a - b);
  const view = { type: "pageview", path: "/", host: "example.com", title: "Home", named: true, suspicious: false };
  const nothing = { name: null, engagementMs: null, scroll: null, revenue: null, currency: null, props: null };
  // With user ids, so that visitors do not depend on the zone in which events were stored.
  const events: RawEvent[] = moments.flatMap((moment) =>
    Array.from({ length: 26 }, (_, n) =>
      rawEvent(moment + (n - 13) * 10 * MINUTE + 1, { ...view, ...nothing, type: "pageview" }, n % 2, 0),
    ),
  );
  const unique = [...new Map(events.map((event) => [`${event.at} ${event.who}`, event])).values()];
  unique.sort((a, b) => a.at - b.at);
  const world = { zone: "UTC", now: NOW, events: unique, rolledUp: false, cut: 0, goals: [] };
  const site = await store(world);
  for (const zone of zones) {
    await db().site.update({ where: { id: site.id }, data: { timezone: zone } });
    for (const change of momentsOf(zone)) {
      for (const interval of ["hour", "day"] as const) {
        const date = dateAt(change, zone);
        const near = unique.filter(({ at }) => Math.abs(at - change) < 10 * DAY);
        const query = {
          from: plusDays(date, interval === "day" ? -2 : 0),
          to: plusDays(date, interval === "day" ? 2 : 0),
        };
        const { data } = await execute(chart, asOwner(site, { interval, ...query }, new Date(NOW)));
        const known = { zone, now: NOW, events: near, goals: [] };
        const expected = right.chart({ ...query, interval }, known) as { buckets: object[] };
        expect(rounded(data.buckets), `${zone} ${date} ${interval} LUCK=${FRESH_SEED}`).toEqual(
          rounded(expected.buckets),
        );
      }
    }
  }
});

const rounded = (rows: readonly object[]) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [
        key,
        typeof value === "number" ? Number(value.toPrecision(9)) : value,
      ]),
    ),
  );
