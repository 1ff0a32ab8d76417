import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { call } from "@/lib/testing/calls";
import { rolledSites } from "@/lib/testing/database";
import { sampled } from "@/lib/testing/tier";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite, send, type TestSite } from "@/lib/testing/world";
import { UMAMI } from "@/lib/transfer/umami";

const NOW = new Date("2026-11-20T12:00:00Z");

/** Zones with different rules in Node 20.20 and Postgres 18.4. */
const ZONES = {
  // Around midnight with and without the change to winter time.
  "America/Vancouver": ["2026-11-10T06:30:00Z", "2026-11-10T07:30:00Z", "2026-11-10T08:30:00Z", "2026-11-11T07:45:00Z"],
  // The clocks change at 00:00Z with one set of rules and at 01:00Z with the other.
  "Europe/Chisinau": ["2026-10-24T21:30:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T22:30:00Z"],
};

interface Counted {
  metrics: { pageviews: number; visits: number };
}
interface Chart {
  buckets: { label: string; start: string; pageviews: number; visits: number }[];
}

/** The local day according to Node, which is the only source of time zone rules. */
const nodeDay = (at: string, zone: string): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" }).format(new Date(at));

async function expectConsistent(site: TestSite, zone: string, moments: readonly string[]): Promise<void> {
  const days = [...new Set(moments.map((at) => nodeDay(at, zone)))].sort();
  const range = { site_id: site.id, from: days[0], to: days.at(-1) };
  const whole = (await call(site.ownerId, "analytics.overview", range, NOW)) as Counted;
  expect(whole.metrics.pageviews, zone).toBe(moments.length);
  for (const interval of ["day", "hour"]) {
    const { buckets } = (await call(site.ownerId, "analytics.chart", { ...range, interval }, NOW)) as Chart;
    const sum = (of: "pageviews" | "visits") => buckets.reduce((all, bucket) => all + bucket[of], 0);
    expect([sum("pageviews"), sum("visits")], zone).toEqual([whole.metrics.pageviews, whole.metrics.visits]);
    for (const day of days) {
      const of = { ...range, from: day, to: day };
      const { metrics } = (await call(site.ownerId, "analytics.overview", of, NOW)) as Counted;
      const sameDay = buckets.filter(({ label }) => label.startsWith(day));
      expect(
        sameDay.reduce((all, { pageviews }) => all + pageviews, 0),
        `${zone} ${day}`,
      ).toBe(metrics.pageviews);
      expect(metrics.pageviews, `${zone} ${day}`).toBe(moments.filter((at) => nodeDay(at, zone) === day).length);
    }
  }
}

test.each(sampled(Object.entries(ZONES), 2))(
  "in %s the chart sums up to the overview, and days begin at the same time in both, with a rollup and without",
  async (zone, moments) => {
    const site = await makeSite({ timezone: zone });
    for (const at of moments) await send(site, "/", { at });
    await expectConsistent(site, zone, moments);
    rolledSites.add(site.id);
    await expectConsistent(site, zone, moments);
  },
);

test.each(sampled(Object.entries(ZONES), 2))(
  "in %s imported events have the same local days as tracked events",
  async (timezone, moments) => {
    const site = await makeSite({ timezone });
    const head =
      "event_id,website_id,session_id,visit_id,created_at,url_path,referrer_domain,event_type,event_name,hostname,utm_source";
    const rows = moments.map((at, n) => `e${n},w1,s${n},v${n},${at.replace("T", " ")},/,,1,,a.example,`);
    await importFiles(site, UMAMI, { events: [head, ...rows].join("\n") }, timezone);
    for (const day of new Set(moments.map((at) => nodeDay(at, timezone)))) {
      const { metrics } = (await call(
        site.ownerId,
        "analytics.overview",
        { site_id: site.id, from: day, to: day },
        NOW,
      )) as Counted;
      expect(metrics.pageviews, day).toBe(moments.filter((at) => nodeDay(at, timezone) === day).length);
    }
  },
);

test("no SQL computes local times in Postgres, whose time zone rules can differ from those of Node", () => {
  const files = readdirSync("lib", { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("testing/"),
  );
  const inPostgres = files.filter((file) => {
    const text = readFileSync(path.join("lib", file), "utf8").replaceAll("AT TIME ZONE 'UTC'", "");
    return /AT TIME ZONE|\btimezone\(\s*['"$]|SET (LOCAL )?TIME ?ZONE/i.test(text);
  });
  expect(inPostgres).toEqual([]);
});
