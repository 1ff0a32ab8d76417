import fc from "fast-check";
import { expect } from "vitest";
import { analytics } from "@/lib/analytics/engine/analytics";
import { reclassifySite } from "@/lib/ingest/store/reclassify";
import { changedFacts } from "@/lib/ingest/store/sequence";
import { inIngestTransaction } from "@/lib/platform/pool";
import { deleteExpiredEvents } from "@/lib/sites/delete-expired";
import { call } from "@/lib/testing/calls";
import type { ReportCheck, Stored } from "@/lib/testing/oracle/check";
import { DAY, dateAt, midnight, plusDays, plusMonths } from "@/lib/testing/oracle/clock";
import { REPORTS } from "@/lib/testing/oracle/every-report";
import { type Fact, type RawEvent, type Visit, visitsOf } from "@/lib/testing/oracle/facts";
import { checkInWorlds } from "@/lib/testing/oracle/in-worlds";
import { daysOfService, filesOf } from "@/lib/testing/oracle/plausible-export";
import type { Known } from "@/lib/testing/oracle/query";
import type { SentQuery } from "@/lib/testing/oracle/query-generator";
import { store, visitorId, write } from "@/lib/testing/oracle/store";
import { type World, withTable } from "@/lib/testing/oracle/world";
import { importSums } from "@/lib/transfer/import-sums";
import { PLAUSIBLE } from "@/lib/transfer/plausible";

/** Changes to the past of a site after it was queried, and the data that the oracle expects afterwards. */

/** Changes the stored data. @returns the expected data. */
export type Change = (stored: Stored) => Promise<Known>;

type Report = keyof typeof REPORTS;

export interface ChangedWorlds {
  world: fc.Arbitrary<World>;
  change: Change;
  /** Reports that are queried more often, with human or all traffic and without filters. */
  mainly?: readonly Report[];
}

/**
 * Checks every report in worlds that change: writes the first events, queries the site so that it has a copy, writes
 * the other events, applies the change, and queries again, before and after the copy is deleted.
 */
export async function checkAfterChange({ world, change, mainly = [] }: ChangedWorlds): Promise<void> {
  const reports = Object.entries(REPORTS).map(([name, reportCheck]) => ({
    name: name as Report,
    one: reportCheck() as ReportCheck,
  }));
  const sentQueries = fc.tuple(...reports.map(({ one }) => one.sentQueries));
  await checkInWorlds(
    fc.asyncProperty(world, sentQueries, async (world, query) => {
      const pairs = reports.flatMap(({ name, one }, index) => {
        const all = query[index] ?? [];
        const sentQueries = mainly.includes(name) ? all.map(plain) : all.slice(0, 1);
        return sentQueries.map((sentQuery) => ({ one, sentQuery }));
      });
      const stored = await begin(world);
      const some = pairs.filter((_, index) => index % 12 === 0);
      for (const { one, sentQuery } of some) await one.check(stored, sentQuery);
      await write(stored.site.id, world.events.slice(world.cut));
      stored.known = knownOf(world);
      for (const { one, sentQuery } of some) await one.check(stored, sentQuery);
      stored.known = await change(stored);
      const before = [];
      for (const { one, sentQuery } of pairs) before.push(await one.check(stored, sentQuery));
      await analytics().forget(stored.site.id);
      // A world sends every second query to the new copy.
      for (const [index, { one, sentQuery }] of pairs.entries())
        if (index % 2 === world.cut % 2)
          expect(await one.answer(stored, sentQuery), JSON.stringify(sentQuery)).toEqual(before[index]);
    }),
    // Each takes seconds, with a rollup or without one.
    { fixed: 4, fresh: 1, endOnFailure: true },
  );
}

/** Returns the query without filters, for human or all traffic. */
const plain = ({
  filters: _,
  segment: __,
  dashboard: ___,
  aim: ____,
  traffic,
  ...sentQuery
}: SentQuery): SentQuery => ({
  ...sentQuery,
  traffic: traffic === "all" ? "all" : "human",
});

/** Stores the first events of a world. */
async function begin(world: World): Promise<Stored> {
  const first = { ...world, events: world.events.slice(0, world.cut) };
  return { site: await store(first), world, known: knownOf(first) };
}

function knownOf({ zone, now, events, goals, monthly }: World): Known {
  return { zone, now, events, goals, ...(monthly && { monthly }) };
}

/** No change except the later events. */
export const noChange: Change = async ({ known }) => known;

/** Returns days for an import, up to the day of the first event, which the import must skip. */
const daysBefore = ({ zone, events, now }: World): string[] => {
  const first = dateAt(events[0]?.at ?? now, zone);
  return Array.from({ length: 9 }, (_, index) => plusDays(first, index - 8));
};

/** A world whose queries begin on the first imported day. */
export const queriedFromImports = (world: World): World => {
  const [since = ""] = daysBefore(world);
  return withTable({ ...world, since });
};

/** Imports daily sums of another service, and writes a late event on an imported day. */
export const imported: Change = async ({ site, world, known }) => {
  const days = daysBefore(world);
  const sums = daysOfService(days, world.cut);
  await importSums(PLAUSIBLE, filesOf(sums), {
    siteId: site.id,
    timezone: world.zone,
    pageQuery: [],
    host: site.host,
    now: new Date(world.now),
  });
  const late = world.events.filter(({ type }) => type === "pageview").slice(0, 1);
  const events = late.map((event) => ({ ...event, at: midnight(days[3] as string, world.zone) + DAY / 2 }));
  await write(site.id, events);
  // The import skips the day of the first stored event: passive events that begin no visit are not stored.
  const stored = visitsOf(world.events, world.zone).flatMap(({ facts }) => facts.map(({ at }) => at));
  const own = dateAt(Math.min(...stored), world.zone);
  return {
    ...known,
    events: [...events, ...known.events],
    imported: { sums: sums.filter(({ date }) => date !== own), host: site.host },
  };
};

const SPAM = { source: "semalt.com", channel: "Referral", url: "semalt.com/x", rule: "one" };

/** A world whose bots and spammers were classified with older lists. */
export const withOutdatedClasses = (world: World): World =>
  withTable({
    ...world,
    events: world.events.map((event, index) => {
      const referrer = index % 4 === 0 ? SPAM : event.referrer;
      if (event.traffic === "bot" || event.traffic === "ai")
        return { ...event, referrer, robot: "GPTBot", agent: { ...event.agent, bot: "GPTBot" } };
      return event.traffic === "spam" ? { ...event, referrer, robot: "honest.example" } : { ...event, referrer };
    }),
  });

/** Reclassifies visits with the current lists. */
export const reclassified: Change = async ({ site, world, known }) => {
  await reclassifySite(site.id, new Date(world.now), 5);
  return { ...known, revise: (visits) => visits.map(reclassifiedVisit) };
};

function reclassifiedVisit(visit: Visit): Visit {
  const was = visit.traffic;
  let traffic = was;
  if ((was === "bot" || was === "ai") && visit.first.robot === "GPTBot") traffic = "ai";
  if (was === "spam" && visit.first.robot === "honest.example") traffic = "human";
  if (traffic === "human" && visit.first.referrer.url === SPAM.url) traffic = "spam";
  const judged: Visit = { ...visit, traffic, facts: [] };
  judged.facts = visit.facts.map((fact) => ({
    ...fact,
    visit: judged,
    traffic: fact.traffic === was ? traffic : fact.traffic,
  }));
  return judged;
}

/** Deletes one visitor, and then everything beyond the retention limit. */
export const erased: Change = async ({ site, world, known }) => {
  const all = visitsOf(known.events, known.zone);
  // A recent visit with many events.
  const [busiest] = all.slice(-8).sort((a, b) => b.facts.length - a.facts.length);
  const visitor = busiest?.visitor as string;
  await eraseVisitor(
    site.id,
    visitor,
    all.filter((visit) => visit.visitor === visitor),
  );
  const kept = await limitRetention(site, world);
  const isOld = ({ at }: RawEvent) => at < kept;
  return {
    ...known,
    events: known.events.filter((event) => !isOld(event)),
    erased: known.events.filter(isOld),
    revise: (visits) => visits.filter((visit) => visit.visitor !== visitor),
  };
};

async function eraseVisitor(siteId: number, visitor: string, visits: readonly Visit[]): Promise<void> {
  const times = visits.flatMap(({ started, facts }: Visit) => [started, ...facts.map(({ at }: Fact) => at)]);
  const span = { siteId, start: new Date(Math.min(...times)), end: new Date(Math.max(...times) + 1) };
  await inIngestTransaction(async (client) => {
    for (const table of ["visit", "event"])
      await client.query(`DELETE FROM facts.${table} WHERE site_id = $1 AND visitor_id = $2`, [
        siteId,
        visitorId(siteId, visitor),
      ]);
    await client.query(changedFacts(span));
  });
}

const MONTHS = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Sets a retention limit with events well before and after it. @returns the start of the retained data. */
async function limitRetention({ id: siteId, ownerId }: Stored["site"], { zone, now, events }: World): Promise<number> {
  const since = (months: number) => midnight(plusMonths(dateAt(now, zone), -months), zone);
  const months = MONTHS.find((one) => events.every(({ at }) => Math.abs(at - since(one)) > 6 * DAY));
  if (months === undefined) throw new Error("there are events close to every limit");
  const at = new Date(now);
  await call(ownerId, "sites.retention.update", { site_id: siteId, retention_months: months }, at);
  await deleteExpiredEvents(at);
  return since(months);
}
