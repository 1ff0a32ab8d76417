import { createHash, randomUUID } from "node:crypto";
import type { TrafficClass } from "@/lib/contract/vocabulary";
import type { DecidedEvent, ReturningVisitor } from "@/lib/ingest/event/decided-event";
import type { Purpose, Verdict, VerdictReason } from "@/lib/ingest/event/verdict";
import { type IngestSite, siteById } from "@/lib/ingest/site/sites";
import { writer } from "@/lib/ingest/store/writer";
import { db } from "@/lib/platform/db";
import { rolledSites } from "@/lib/testing/database";
import { ROBOTS } from "@/lib/testing/oracle/actions";
import { dateAt } from "@/lib/testing/oracle/clock";
import { PLAN } from "@/lib/testing/oracle/experiments";
import { namesOf, type RawEvent } from "@/lib/testing/oracle/facts";
import type { SentFilters } from "@/lib/testing/oracle/filters";
import { FUNNELS } from "@/lib/testing/oracle/funnels";
import { RATES } from "@/lib/testing/oracle/money";
import type { View } from "@/lib/testing/oracle/query-generator";
import type { World } from "@/lib/testing/oracle/world";
import { makeSite, type TestSite } from "@/lib/testing/world";

/** Stores a world with the writer of the product. */
export async function store({ zone, now, events, rolledUp, cut, goals, monthly }: World): Promise<TestSite> {
  const made = await makeSite({ timezone: zone });
  await db().goal.createMany({
    data: goals.map(({ also = [], properties = [], value = {}, ...goal }) => ({
      value,
      ...{ siteId: made.id, ...goal, createdAt: new Date(now), updatedAt: new Date(now) },
      also: also.map((way) => ({ ...way })),
      properties: properties.map((condition) => ({ ...condition })),
    })),
  });
  const at = { createdAt: new Date(now), updatedAt: new Date(now) };
  await db().funnel.createMany({
    data: FUNNELS.map(({ steps, ...funnel }) => ({ siteId: made.id, ...funnel, steps: [...steps], ...at })),
  });
  const { name, goal, variants } = PLAN;
  await db().experiment.create({ data: { siteId: made.id, name, goal, variants, ...at } });
  await db().exchangeRate.createMany({
    data: RATES.map(({ currency, from, perEuro }) => ({ siteId: made.id, currency, day: new Date(from), perEuro })),
  });
  if (monthly) await enableMonthlyIdentity(made.id, zone, events);
  if (rolledUp) rolledSites.add(made.id);
  for (const batch of [events.slice(0, cut), events.slice(cut)]) await write(made.id, batch, monthly);
  return made;
}

/** Writes events of a site in one batch. @param monthly whether the site recognises visitors within a month. */
export async function write(siteId: number, events: readonly RawEvent[], monthly = false): Promise<void> {
  const site = await siteById(siteId);
  if (!site) throw new Error("the site does not exist");
  await Promise.all(
    events.map((event) =>
      writer.write({
        ...decidedEventOf(event, site),
        ...(monthly && { returningVisitor: returningVisitorOf(event, site) }),
      }),
    ),
  );
}

/** Enables monthly identification for each month of a site's events. */
async function enableMonthlyIdentity(siteId: number, zone: string, events: readonly RawEvent[]): Promise<void> {
  await db().site.update({ where: { id: siteId }, data: { retentionSalt: true } });
  const months = new Set(events.map(({ at }) => monthOf(dateAt(at, zone))));
  const data = [...months].map((month) => ({
    siteId,
    month: new Date(month),
    salt: new Uint8Array(32),
    expiresAt: new Date("9999-01-01"),
  }));
  await db().siteMonthSalt.createMany({ data });
}

const monthOf = (date: string): string => `${date.slice(0, 8)}01`;

function returningVisitorOf({ who, user, at }: RawEvent, { id, timezone }: IngestSite): ReturningVisitor {
  const day = dateAt(at, timezone);
  const month = monthOf(day);
  return { pseudonym: idOf(`${id} ${user ?? who} ${month}`), month, day };
}

const named = (siteId: number) => {
  const at = new Date();
  return { siteId, name: randomUUID(), createdAt: at, updatedAt: at };
};

export const saveSegment = async (siteId: number, filters: SentFilters): Promise<string> =>
  (await db().segment.create({ data: { ...named(siteId), filters } })).id;

export const saveDashboard = async (siteId: number, view: View): Promise<string> =>
  (await db().dashboard.create({ data: { ...named(siteId), ...view } })).id;

/** Returns the id of a visitor by a name of {@link namesOf}. */
export const visitorId = (siteId: number, name: string): string => idOf(`${siteId} ${name}`);

const idOf = (text: string): string => createHash("sha256").update(text).digest().readBigInt64BE(0).toString();

function decidedEventOf(event: RawEvent, site: IngestSite): DecidedEvent {
  const { at, who: _, user, traffic, robot = "", props, ...rest } = event;
  return {
    ...rest,
    siteId: site.id,
    timezone: site.timezone,
    timestamp: Math.round(at * 1000),
    keys: [],
    traffic,
    verdict: verdictOf(traffic, robot),
    visitors: namesOf(event, site.timezone).map((name) => visitorId(site.id, name)),
    userHash: user === null ? null : idOf(`${site.id} user ${user}`),
    returningVisitor: null,
    isPageKey: false,
    props: props && JSON.stringify(props),
    isTimed: false,
    scrubbed: [],
  };
}

const WHY: Record<Exclude<TrafficClass, "human">, VerdictReason> = {
  bot: "crawler",
  ai: "ai_agent",
  spam: "spam_referrer",
  suspicious: "headless",
};

function verdictOf(traffic: TrafficClass, bot: string): Verdict | null {
  if (traffic === "human") return null;
  const { operator = "", purpose = "", verified = "" } = ROBOTS.find((robot) => robot.bot === bot) ?? {};
  return { traffic, reason: WHY[traffic], bot, operator, purpose: purpose as Purpose | "", verified, version: "1" };
}
