import { setImmediate } from "node:timers/promises";
import { dayNumber } from "@/lib/analytics/buckets";
import { defaultConversion } from "@/lib/analytics/conversions";
import { type DimensionKey, ROLLED } from "@/lib/analytics/dimensions";
import { NO_FILTERS, NO_ID_FILTERS } from "@/lib/analytics/filters";
import { importedDays } from "@/lib/analytics/imported";
import { rolledListings } from "@/lib/analytics/listings";
import { chunksOfFacts, keep, unpack } from "@/lib/analytics/packed/pack";
import { type Asked, Counter, type Tally } from "@/lib/analytics/packed/tally";
import type { Part } from "@/lib/analytics/partials";
import { days } from "@/lib/analytics/period";
import { LATEST_MS, moved, type Scope } from "@/lib/analytics/question";
import { markSealed, sealBlocks, sealing } from "@/lib/analytics/rollup-blocks";
import { dropRollups, listsOf, writeRollup } from "@/lib/analytics/rollup-lists";
import { forgetSales, keepSales } from "@/lib/analytics/sales";
import { importedDay } from "@/lib/analytics/seal-imported";
import { TRAFFIC_CLASSES, type Traffic, type TrafficClass } from "@/lib/contract/vocabulary";
import { type Db, db, reports } from "@/lib/db";
import { firstEvent, firstVisit, STARTED, within } from "@/lib/fact-index";
import { keptSince, readKeptMonths } from "@/lib/sites/keeping";
import { laterOf, localDay, startOfDay, Temporal } from "@/lib/time";

/**
 * Seals finished days: adds up what they came to, once, so that reports need not. A day is sealed for a class of traffic
 * when no visit that began on it can change any more.
 */

/** A visit ends after half an hour of silence; what was sent before that is committed by now. */
const SETTLED_MS = 35 * 60_000;
const CLASSES: readonly number[] = Object.values(TRAFFIC_CLASSES);
/** The lens that counts every class. */
const ALL = 0;

/**
 * Seals the finished days of one site, newest first, and the blocks that they complete.
 *
 * @param mayGoOn asked after each day.
 */
export async function sealSite(siteId: number, timezone: string, now: Date, mayGoOn = () => true): Promise<void> {
  await forgetOtherZones(siteId, timezone);
  const missing = await unsealedDays(siteId, timezone, now);
  for (const [date, lenses] of missing) {
    if (!(await sealDay(siteId, timezone, date, lenses, now))) return;
    if (!mayGoOn()) return;
  }
  for (const length of [8, 64] as const) await sealBlocks(siteId, timezone, length);
}

/**
 * Makes reports of a site read the facts until its days have been sealed anew. What was added up stays until then: reports
 * that have begun are still reading it.
 */
export async function reopenDays(siteId: number): Promise<void> {
  await db().$transaction(async (tx) => {
    // Whoever is sealing is waited for: what they mark would not be seen by a statement that has begun.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('facts.rollup'), ${siteId}::int)`;
    await tx.$executeRaw`DELETE FROM facts.sealed WHERE site_id = ${siteId}`;
  });
}

const forgetOtherZones = (siteId: number, timezone: string) =>
  db().$executeRaw`DELETE FROM facts.sealed WHERE site_id = ${siteId} AND timezone <> ${timezone}`;

/** The finished days that lack a seal, newest first, each with the lenses that it lacks. */
async function unsealedDays(siteId: number, timezone: string, now: Date): Promise<[Temporal.PlainDate, number[]][]> {
  const [edge] = await reports().$queryRaw<{ first: Date | null }[]>`
    SELECT least((${firstEvent(siteId)}), (${firstVisit(siteId)})) AS first`;
  const imported = await importedDays(siteId);
  const edges = [...(edge?.first ? [localDay(edge.first, timezone)] : []), ...(imported ? [imported.from] : [])];
  const [oldest] = edges.sort(Temporal.PlainDate.compare);
  if (!oldest) return [];
  // What is about to be destroyed is not added up any more.
  const months = await readKeptMonths(siteId);
  const first = months === null ? oldest : laterOf(oldest, keptSince(months, timezone, now));
  const sealed = await reports().$queryRaw<{ block: number; lenses: number[] }[]>`
    SELECT block, array_agg(traffic::int) AS lenses FROM facts.sealed AS sealed
    WHERE site_id = ${siteId} AND length = 1 AND (traffic <> ${ALL} OR EXISTS (
      SELECT FROM facts.packed WHERE site_id = ${siteId} AND packed.block = sealed.block AND packed.timezone = sealed.timezone))
    GROUP BY block`;
  const known = new Map(sealed.map(({ block, lenses }) => [block, new Set(lenses)]));
  const found: [Temporal.PlainDate, number[]][] = [];
  // A visit of the first day may have events that a server's clock put before its beginning.
  let date = localDay(new Date(now.getTime() - SETTLED_MS), timezone).subtract({ days: 1 });
  for (; Temporal.PlainDate.compare(date, first) >= 0; date = date.subtract({ days: 1 })) {
    const missing = [ALL, ...CLASSES].filter((lens) => !known.get(dayNumber(date))?.has(lens));
    if (missing.length > 0) found.push([date, missing]);
  }
  return found;
}

/** @returns false when the site has been deleted. */
function sealDay(siteId: number, timezone: string, date: Temporal.PlainDate, lacking: number[], now: Date) {
  const scope = wholeDay(siteId, timezone, date, now);
  return sealing(siteId, async (tx) => {
    const open = await openClasses(tx, scope, now);
    const lenses = lacking.filter((lens) => (lens === ALL ? open.size === 0 : !open.has(lens)));
    if (lenses.length === 0) return;
    const block = dayNumber(date);
    await dropRollups(tx, { siteId, length: 1, block }, lenses);
    const imported = await importedDay(tx, scope, date);
    const rollups = await rollupsOf(tx, siteId);
    for (const { lens, tallies } of await addUp(tx, scope, block, lenses, rollups)) {
      const where = { siteId, traffic: lens, length: 1, block } as const;
      // Other services count people, and tell of nobody else.
      const told = lens === ALL || lens === TRAFFIC_CLASSES.human ? imported : null;
      for (const [index, { number, asked }] of rollups.entries())
        await writeRollup(
          tx,
          where,
          number,
          told?.get(number) ?? listsOf((tallies[index] as Tally).counts, asked.sums),
        );
    }
    await markSealed(tx, siteId, timezone, 1, [block], lenses);
  });
}

const PARTS: readonly Part[] = ["visits", "events", "scrolls"];

interface Rollup {
  number: number;
  asked: Asked;
}

/** What rollups hold, with the numbers that they know it by: everything, by each dimension that they know, and listings. */
async function rollupsOf(tx: Db, siteId: number): Promise<Rollup[]> {
  const { test } = await defaultConversion(tx, siteId);
  return [
    { number: 0, asked: { by: [], parts: PARTS } },
    ...(Object.entries(ROLLED) as [DimensionKey, number][]).map(([key, number]) => ({
      number,
      asked: { by: [key], parts: PARTS },
    })),
    ...rolledListings([test]).map(({ rollup, ...asked }) => ({ number: rollup as number, asked })),
  ];
}

/** Adds a day up by every dimension, for each of these lenses, and keeps it packed when all of its visits are over. */
async function addUp(tx: Db, scope: Scope, block: number, lenses: readonly number[], rollups: readonly Rollup[]) {
  const asked = rollups.map((one) => one.asked);
  const counters = lenses.map((lens) => ({
    lens,
    counter: new Counter(trafficOf(lens), NO_ID_FILTERS, asked, Number.POSITIVE_INFINITY),
  }));
  const whole = lenses.includes(ALL);
  if (whole) {
    await unpack(tx, scope.siteId, block);
    await forgetSales(tx, scope.siteId, block);
    await keepSales(tx, scope, block);
  }
  let number = 0;
  for await (const chunk of chunksOfFacts(tx, scope, block)) {
    for (const { counter } of counters) {
      counter.count(chunk);
      // What was sent meanwhile is answered first.
      await setImmediate();
    }
    if (whole) await keep(tx, scope, chunk, number++);
  }
  return counters.map(({ lens, counter }) => ({ lens, tallies: counter.tallies }));
}

const trafficOf = (lens: number): Traffic => TRAFFIC_NAMES.get(lens) ?? "all";
const TRAFFIC_NAMES: ReadonlyMap<number, Traffic> = new Map(
  (Object.entries(TRAFFIC_CLASSES) as [TrafficClass, number][]).map(([name, number]) => [number, name]),
);

function wholeDay(siteId: number, timezone: string, date: Temporal.PlainDate, now: Date): Scope {
  const range = days(date, date, timezone, now);
  return {
    siteId,
    currency: "EUR",
    range,
    traffic: "all",
    filters: NO_FILTERS,
    sealed: null,
    days: [startOfDay(date, timezone)],
  };
}

/** The classes of which a visit may still go on that began in the scope, or long before it and lasts. */
async function openClasses(tx: Db, { siteId, range }: Scope, now: Date): Promise<Set<number>> {
  const begun = within(STARTED, { start: moved(range.start, -LATEST_MS), end: range.end });
  const rows = await tx.$queryRaw<{ traffic: number }[]>`
    SELECT DISTINCT traffic FROM facts.visit WHERE site_id = ${siteId} AND ${begun}
      AND started + duration_ms * interval '1 millisecond' > ${new Date(now.getTime() - SETTLED_MS)}`;
  return new Set(rows.map(({ traffic }) => traffic));
}
