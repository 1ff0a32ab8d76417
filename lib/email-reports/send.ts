import { queueEmail } from "@/lib/email/mailer";
import { type Numbers, reportEmail } from "@/lib/email-reports/write";
import { execute } from "@/lib/gateway/execute";
import chart from "@/lib/operations/analytics.chart";
import overview from "@/lib/operations/analytics.overview";
import { db } from "@/lib/platform/db";
import { ERRORS, Refusal } from "@/lib/platform/errors";
import { primaryNameOf } from "@/lib/sites/notices";
import { type Cadence, lastPeriod, nextTime, type Period } from "@/lib/sites/reports/period";
import { endingLinks, endingToken } from "@/lib/sites/reports/subscriptions";

/** Sends the reports whose time has come. After an absence each comes late, once, and is about the last full week or month. */

const AT_ONCE = 50;
/** So long after a failure it is tried again; meanwhile it keeps nobody's place. */
const AGAIN_AFTER_MS = 3600_000;

interface Due {
  siteId: number;
  personId: number;
  cadence: Cadence;
  nextAt: Date;
  toldUntil: Date | null;
}

export async function sendReports(now: Date): Promise<void> {
  const failures: unknown[] = [];
  for (let due = await dueAt(now); due.length > 0; due = due.length < AT_ONCE ? [] : await dueAt(now)) {
    for (const { membership, ...one } of due) {
      const { person, site } = membership;
      await send(one, person.email, site.timezone, now).catch((error) => {
        failures.push(error);
        return putOff(one, now);
      });
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** The next subscriptions whose time has come. Each is moved on, or put off, before others are asked for. */
const dueAt = (now: Date) =>
  db().reportSubscription.findMany({
    where: { nextAt: { lte: now } },
    include: { membership: { select: { person: true, site: { select: { timezone: true } } } } },
    orderBy: [{ nextAt: "asc" }, { siteId: "asc" }, { personId: "asc" }],
    take: AT_ONCE,
  });

async function putOff({ siteId, personId, cadence, nextAt }: Due, now: Date): Promise<void> {
  await db().reportSubscription.updateMany({
    where: { siteId, personId, cadence, nextAt },
    data: { nextAt: new Date(now.getTime() + AGAIN_AFTER_MS) },
  });
}

/** Whichever process moves the subscription on sends the letter, in the same transaction. */
async function send(due: Due, email: string, timezone: string, now: Date): Promise<void> {
  const { siteId, personId, cadence, nextAt, toldUntil } = due;
  const period = lastPeriod(cadence, timezone, now);
  const until = new Date(`${period.to}T00:00:00Z`);
  const news = !toldUntil || toldUntil < until;
  const numbers = news ? await numbersOf(due, period, now) : null;
  await db().$transaction(async (tx) => {
    const { count } = await tx.reportSubscription.updateMany({
      where: { siteId, personId, cadence, nextAt },
      data: { nextAt: nextTime(cadence, timezone, now), ...(news && { toldUntil: until }) },
    });
    if (count === 0 || !numbers) return;
    const links = endingLinks(endingToken(due));
    await queueEmail(tx, reportEmail(email, { siteId, cadence, period, numbers, links }), now);
  });
}

/** The numbers as this person may see them; null when they may not any more. */
async function numbersOf({ siteId, personId }: Due, { from, to }: Period, now: Date): Promise<Numbers | null> {
  const principal = { kind: "owner", personId } as const;
  const range = { site_id: siteId, from: `${from}`, to: `${to}` };
  try {
    const { data } = await execute(overview, { principal, input: { ...range, compare: "previous_period" }, now });
    const bars = await execute(chart, { principal, input: { ...range, interval: "day" }, now });
    const name = await primaryNameOf(db(), siteId);
    const { buckets, annotations } = bars.data;
    return { ...data, ...name, visitorsByDay: buckets.map(({ visitors }) => visitors), annotations };
  } catch (error) {
    // Any other refusal, as of a database that is busy, is over some time: the report is late then, not lost.
    if (error instanceof Refusal && error.status === ERRORS.site_not_granted) return null;
    throw error;
  }
}
