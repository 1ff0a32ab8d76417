import fc from "fast-check";
import { expect, test } from "vitest";
import { dayNumber } from "@/lib/analytics/buckets";
import { sql } from "@/lib/analytics/engine/sql";
import { chainTables, extended, stepEvents } from "@/lib/analytics/query/chains";
import { query, scopeOf } from "@/lib/analytics/query/scope";
import { chainsOf as chainsOfFunnel, type Funnel, progressOf } from "@/lib/analytics/reports/funnels";
import { db } from "@/lib/db";
import { makeSite, type TestSite } from "@/lib/testing/world";
import { startOfDay, Temporal } from "@/lib/time";

/** Compares chains with an evaluator that tries every possible one. */

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

interface Happening {
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
const happening = fc.record({ who: fc.integer({ min: 1, max: 3 }), moment, path: fc.constantFrom(...PATHS) });
const steps = fc.array(fc.constantFrom(...Object.keys(MATCHED)), { minLength: 2, maxLength: 5 });
const windowMinutes = fc.constantFrom(1, 30, 60, 90, 1440, 2880);

/** The chains of so many steps that begin on a day: all moments of each. */
function chainsOf(events: readonly Happening[], steps: readonly string[], window: number, from: number, to: number) {
  let chains = events
    .filter(({ at, path }) => at >= from && at < to && MATCHED[steps[0] ?? ""]?.(path))
    .map(({ at }) => [at]);
  for (const step of steps.slice(1)) {
    const longer = chains.flatMap((chain) =>
      events
        .filter(({ at, path }) => at > (chain.at(-1) ?? 0) && at <= (chain[0] ?? 0) + window && MATCHED[step]?.(path))
        .map(({ at }) => [...chain, at]),
    );
    // Chains that agree in all their moments are one.
    chains = [...new Map(longer.map((chain) => [chain.join(), chain])).values()];
  }
  return chains;
}

/** The first to get there; of these the one whose steps were taken last. */
const chosen = (chains: readonly number[][]): number[] | undefined =>
  [...chains].sort((a, b) => {
    const end = (a.at(-1) ?? 0) - (b.at(-1) ?? 0);
    const index = a.findIndex((at, place) => at !== b[place]);
    return end || (b[index] ?? 0) - (a[index] ?? 0);
  })[0];

async function store(site: TestSite, happenings: readonly Happening[]): Promise<void> {
  await db().$executeRaw`SELECT facts.add_month('2025-03-01'), facts.add_month('2025-04-01')`;
  await db().$executeRaw`
    INSERT INTO facts.page (site_id, since, hostname, path) SELECT ${site.id}, '2025-03-01', 'a.example', unnest(${PATHS}::text[])`;
  const rows = happenings.map(({ who, at, path }) => ({ who, at: new Date(at), path }));
  await db().$executeRaw`
    INSERT INTO facts.event (ts, visit_id, visitor_id, site_id, name, page, referrer, campaign, place, agent, type, traffic)
    SELECT at, who, who, ${site.id}, 0, page.id, 0, 0, 0, 0, 1, 1
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS happened(who int, at timestamptz, path text)
    JOIN facts.page AS page ON page.site_id = ${site.id} AND page.path = happened.path`;
}

const question = fc.record({
  zone,
  raw: fc.array(happening, { minLength: 1, maxLength: 14 }),
  patterns: steps,
  windowMinutes,
});

test("a visitor's chain of a day is the longest of all that begin on it, without steps that a later day reaches by the same event", async () => {
  await fc.assert(
    fc.asyncProperty(question, async ({ zone, raw, patterns, windowMinutes }) => {
      const start = startOfDay(FIRST_DAY, zone).getTime();
      const events = raw.map(({ who, moment: [hour, ms], path }) => ({
        who,
        path,
        at: start + hour * 60 * minute + ms,
      }));
      const site = await makeSite({ timezone: zone });
      await store(site, events);
      const funnel: Funnel = {
        id: null,
        name: "",
        windowMinutes,
        steps: patterns.map((pattern) => ({ kind: "page", pattern })),
      };
      const asked = (days: number) =>
        scopeOf(
          { site_id: site.id, from: `${FIRST_DAY}`, to: `${FIRST_DAY.add({ days: days - 1 })}` },
          {
            id: site.id,
            domain: site.host,
            timezone: zone,
            currency: "EUR",
            revision: 0,
            role: "owner",
            kept: { months: null, from: null },
          },
          NOW,
        );
      const dayAfter = (days: number): [number, number] => [
        startOfDay(FIRST_DAY.add({ days }), zone).getTime(),
        startOfDay(FIRST_DAY.add({ days: days + 1 }), zone).getTime(),
      ];
      const expected = Array.from({ length: DAYS }, (_, day) => {
        const [from, to] = dayAfter(day);
        return [1, 2, 3].flatMap((who) => {
          const own = events.filter((event) => event.who === who);
          const first = (from: number, to: number, length: number) =>
            chosen(chainsOf(own, patterns.slice(0, length), windowMinutes * minute, from, to));
          const later = Array.from({ length: 2 * DAYS }, (_, more) => dayAfter(day + 1 + more));
          for (let length = patterns.length; length > 0; length--) {
            const chain = first(from, to, length);
            const again = later.some(([from, to]) => chain && first(from, to, length)?.at(-1) === chain.at(-1));
            if (chain && !again) return [{ who, day, chain }];
          }
          return [];
        });
      }).flat();
      // The whole range, and a part of it: the same as of these days in the whole.
      for (const days of [DAYS, 1]) {
        const { scope } = await asked(days);
        const told = expected.filter((one) => one.day < days);
        const visitors = patterns.map((_, index) => told.filter(({ chain }) => chain.length > index).length);
        expect((await progressOf(scope, funnel)).steps.map((step) => step.visitors)).toEqual(visitors);
        const question = chainsOfFunnel(scope, funnel);
        const [rows] = await query(
          scope,
          sql`WITH step_events AS (${stepEvents(question)}), ${chainTables(question)}
            SELECT visitor_id AS who, day, list_transform(chain, lambda time: epoch_us(time) / 1000) AS chain
            FROM chains ORDER BY day, who`,
        );
        const first = dayNumber(FIRST_DAY);
        const expectedRows = told
          .filter(({ chain }) => chain.length > 1)
          .map(({ day, ...one }) => ({ ...one, day: first + day }));
        expect(rows).toEqual(expectedRows);
      }
    }),
    { numRuns: 120 },
  );
}, 120_000);

test("chains may continue until the end of the last day of the window, and in a comparison with an open day until its time", async () => {
  const site = await makeSite({ timezone: "Europe/Berlin" });
  const access = {
    id: site.id,
    domain: site.host,
    timezone: "Europe/Berlin",
    currency: "EUR",
    revision: 0,
    kept: { months: null, from: null },
    role: "owner" as const,
  };
  const question = { site_id: site.id, period: "7d", compare: "previous_period" } as const;
  const { scope, before } = await scopeOf(question, access, NOW);
  expect(extended(scope, 1440).range.end).toEqual(new Date("2025-04-11T22:00:00Z"));
  expect(before && extended(before, 1440).range.end).toEqual(before?.range.end);
});
