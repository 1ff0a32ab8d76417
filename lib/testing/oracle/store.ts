import { createHash, randomUUID } from "node:crypto";
import { sealSite } from "@/lib/analytics/rollups";
import type { TrafficClass } from "@/lib/contract/vocabulary";
import { db } from "@/lib/db";
import type { Hit } from "@/lib/ingest/hit";
import { type IngestSite, siteById } from "@/lib/ingest/sites";
import type { Reason, Verdict } from "@/lib/ingest/verdict";
import { writer } from "@/lib/ingest/writer";
import { PLAN } from "@/lib/testing/oracle/experiments";
import { namesOf, type RawEvent } from "@/lib/testing/oracle/facts";
import type { SentFilters } from "@/lib/testing/oracle/filters";
import { FUNNELS } from "@/lib/testing/oracle/funnels";
import { RATES } from "@/lib/testing/oracle/money";
import type { World } from "@/lib/testing/oracle/world";
import { makeSite, type TestSite } from "@/lib/testing/world";

/** Brings a world into being, by the writer that writes real hits. */
export async function store({ zone, now, events, sealed, cut, goals }: World): Promise<TestSite> {
  const made = await makeSite({ timezone: zone });
  await db().goal.createMany({
    data: goals.map((goal) => ({ siteId: made.id, ...goal, createdAt: new Date(now), updatedAt: new Date(now) })),
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
  const site = await siteById(made.id);
  if (!site) throw new Error("the site is gone");
  for (const batch of [events.slice(0, cut), events.slice(cut)]) {
    await Promise.all(batch.map((event) => writer.write(hitOf(event, site))));
  }
  if (sealed) await sealSite(made.id, zone, new Date(now));
  return made;
}

export async function saveSegment(site: TestSite, filters: SentFilters): Promise<string> {
  const at = new Date();
  const segment = await db().segment.create({
    data: { siteId: site.id, name: randomUUID(), filters, createdAt: at, updatedAt: at },
  });
  return segment.id;
}

const idOf = (text: string): string => createHash("sha256").update(text).digest().readBigInt64BE(0).toString();

function hitOf(event: RawEvent, site: IngestSite): Hit {
  const { at, who: _, user, traffic, props, ...rest } = event;
  return {
    ...rest,
    site,
    at: new Date(at),
    key: null,
    traffic,
    verdict: verdictOf(traffic),
    visitors: namesOf(event, site.timezone).map((name) => idOf(`${site.id} ${name}`)),
    userHash: user === null ? null : idOf(`${site.id} user ${user}`),
    returner: null,
    ofPage: false,
    props: props && JSON.stringify(props),
  };
}

const WHY: Record<Exclude<TrafficClass, "human">, Reason> = {
  bot: "crawler",
  ai: "ai_agent",
  spam: "spam_referrer",
  suspicious: "headless",
};

const verdictOf = (traffic: TrafficClass): Verdict | null =>
  traffic === "human"
    ? null
    : { traffic, reason: WHY[traffic], bot: "", operator: "", purpose: "", verified: "", version: "1" };
