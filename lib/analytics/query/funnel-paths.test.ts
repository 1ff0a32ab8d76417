import fc from "fast-check";
import { expect, test } from "vitest";
import { dayNumber } from "@/lib/analytics/calendar/buckets";
import { extended, funnelPathTables, stepEvents } from "@/lib/analytics/query/funnel-paths";
import { queryCopy, scopeOf } from "@/lib/analytics/query/scope";
import { funnelQuery, progressOf } from "@/lib/analytics/reports/funnels";
import type { SiteAccess } from "@/lib/contract/define";
import type { Funnel } from "@/lib/contract/funnel-steps";
import { db } from "@/lib/platform/db";
import { sql } from "@/lib/platform/sql";
import { startOfDay, Temporal } from "@/lib/platform/time";
import { finishedSites } from "@/lib/testing/database";
import { runs } from "@/lib/testing/tier";
import { makeSite, type TestSite } from "@/lib/testing/world";

/** Compares funnel paths with an evaluator that tries every possible one. */

const FIRST_DAY = Temporal.PlainDate.from("2025-03-28");
const DAYS = 4;
const NOW = new Date("2025-04-10T12:00:00Z");
const PATHS = ["/a", "/ab", "/b", "/c"];
const MATCHED: Record<string, (path: string) => boolean> = {
  "/a": (path) => path === "/a",
  "/a*": (path) => path.startsWith("/a"),
  "/b": (path) => path === "/b",
  "/c": (path) => path === "/c",
  "/*": () => true,
};

const accessTo = ({ id, host }: TestSite, timezone: string): SiteAccess => ({
  id,
  domain: host,
  timezone,
  currency: "EUR",
  revision: 0,
  role: "owner",
  retention: { months: null, from: null },
  mergeSlashes: true,
  pageQuery: [],
});

interface View {
  who: number;
  at: number;
  path: string;
}

const minute = 60_000;
const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York");
// Few moments, so that many fall together and many lie just at the edge of a window.
const moment = fc.tuple(
  fc.constantFrom(0, 1, 22, 23, 24, 25, 46, 47, 48, 60),
  fc.constantFrom(0, 1, 30 * minute, 30 * minute + 1, 59 * minute),
);
const view = fc.record({ who: fc.integer({ min: 1, max: 3 }), moment, path: fc.constantFrom(...PATHS) });
const steps = fc.array(fc.constantFrom(...Object.keys(MATCHED)), { minLength: 2, maxLength: 5 });
const windowMinutes = fc.constantFrom(1, 30, 60, 90, 1440, 2880);

/** The funnel paths of so many steps that begin between two moments: all moments of each. */
function pathsOf(views: readonly View[], steps: readonly string[], window: number, from: number, to: number) {
  const reaching = (step = "") => views.filter(({ path }) => MATCHED[step]?.(path)).map(({ at }) => at);
  let paths = reaching(steps[0]).flatMap((at) => (at >= from && at < to ? [[at]] : []));
  for (const step of steps.slice(1)) {
    const longer = paths.flatMap((path) =>
      reaching(step)
        .filter((at) => at > (path.at(-1) ?? 0) && at <= (path[0] ?? 0) + window)
        .map((at) => [...path, at]),
    );
    // Paths that agree in all their moments are one.
    paths = [...new Map(longer.map((path) => [path.join(), path])).values()];
  }
  return paths;
}

/** The first to be complete; of these the one whose steps were taken last. */
const chosen = (paths: readonly number[][]): number[] | undefined =>
  [...paths].sort((a, b) => {
    const end = (a.at(-1) ?? 0) - (b.at(-1) ?? 0);
    const index = a.findIndex((at, place) => at !== b[place]);
    return end || (b[index] ?? 0) - (a[index] ?? 0);
  })[0];

async function store(site: TestSite, views: readonly View[]): Promise<void> {
  await db().$executeRaw`SELECT facts.add_month('2025-03-01'), facts.add_month('2025-04-01')`;
  await db().$executeRaw`
    INSERT INTO facts.page (site_id, first_seen, hostname, path) SELECT ${site.id}, '2025-03-01', 'a.example', unnest(${PATHS}::text[])`;
  const rows = views.map(({ who, at, path }) => ({ who, at: new Date(at), path }));
  await db().$executeRaw`
    INSERT INTO facts.event (ts, visit_id, visitor_id, site_id, name, page, referrer, campaign, place, agent, type, traffic, seq)
    SELECT at, who, who, ${site.id}, 0, page.id, 0, 0, 0, 0, 1, 1, 0
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS viewed(who int, at timestamptz, path text)
    JOIN facts.page AS page ON page.site_id = ${site.id} AND page.path = viewed.path`;
}

const world = fc.record({ zone, raw: fc.array(view, { minLength: 1, maxLength: 14 }), patterns: steps, windowMinutes });

test("a visitor's path of a day is the longest that begins on it, without steps that a later day reaches by the same event", async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ zone, raw, patterns, windowMinutes }) => {
      const startOf = (day: number) => startOfDay(FIRST_DAY.add({ days: day }), zone).getTime();
      const views = raw.map(({ who, path, moment: [hour, ms] }) => ({
        who,
        path,
        at: startOf(0) + hour * 60 * minute + ms,
      }));
      const site = await makeSite({ timezone: zone });
      await store(site, views);
      finishedSites.add(site.id);
      const steps = patterns.map((pattern) => ({ kind: "page" as const, pattern }));
      const funnel: Funnel = { id: null, name: "", windowMinutes, steps };
      const expected = Array.from({ length: DAYS }, (_, day) =>
        [1, 2, 3].flatMap((who) => {
          const own = views.filter((one) => one.who === who);
          const pathOn = (day: number, length: number) =>
            chosen(pathsOf(own, patterns.slice(0, length), windowMinutes * minute, startOf(day), startOf(day + 1)));
          const later = Array.from({ length: 2 * DAYS }, (_, more) => day + 1 + more);
          for (let length = patterns.length; length > 0; length--) {
            const times = pathOn(day, length);
            const again = later.some((other) => times && pathOn(other, length)?.at(-1) === times.at(-1));
            if (times && !again) return [{ who, day, times }];
          }
          return [];
        }),
      ).flat();
      // The whole range, and a part of it: the same as of these days in the whole.
      for (const days of [DAYS, 1]) {
        const range = { from: `${FIRST_DAY}`, to: `${FIRST_DAY.add({ days: days - 1 })}` };
        const { scope } = await scopeOf({ site_id: site.id, ...range }, accessTo(site, zone), NOW);
        const paths = expected.filter(({ day }) => day < days);
        const visitors = patterns.map((_, index) => paths.filter(({ times }) => times.length > index).length);
        expect((await progressOf(scope, funnel)).steps.map((step) => step.visitors)).toEqual(visitors);
        const funnelPaths = funnelQuery(scope, funnel);
        const [rows] = await queryCopy(
          scope,
          sql`WITH step_events AS (${stepEvents(funnelPaths)}), ${funnelPathTables(funnelPaths)}
            SELECT visitor_id AS who, day, list_transform(times, lambda time: epoch_us(time) / 1000) AS times
            FROM funnel_paths ORDER BY day, who`,
        );
        const longer = paths.filter(({ times }) => times.length > 1);
        expect(rows).toEqual(longer.map(({ day, ...one }) => ({ ...one, day: dayNumber(FIRST_DAY) + day })));
      }
    }),
    { numRuns: runs({ full: 60, quick: 10 }) },
  );
});

test("paths may continue until the end of the last day of the window, and in a comparison with an open day until its time", async () => {
  const site = await makeSite({ timezone: "Europe/Berlin" });
  const week = { site_id: site.id, period: "7d", compare: "previous_period" } as const;
  const { scope, before } = await scopeOf(week, accessTo(site, "Europe/Berlin"), NOW);
  expect(extended(scope, 1440).range.end).toEqual(new Date("2025-04-11T22:00:00Z"));
  expect(before && extended(before, 1440).range.end).toEqual(before?.range.end);
});
