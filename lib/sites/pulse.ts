import { boundedMap } from "@/lib/bounded-map";
import type { Principal } from "@/lib/contract/define";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { db, reportDeadlineMs, reports } from "@/lib/db";
import { asReport } from "@/lib/report-queries";
import { type Shares, sharesOf } from "@/lib/report-shares";
import { siteFor } from "@/lib/sites/access";

/** Whether a site is alive. Cheap enough to be asked every second. */
export interface Beat {
  /** When its last event came; null for never. */
  last_event_at: string | null;
  /** How many people did anything within the last five minutes, as the realtime report counts them. */
  present: number;
}

export interface Pulse extends Beat {
  /** What was turned away in the last two days, most frequent first. */
  refused: { reason: string; hits: number }[];
}

/** For those who have a role on the site. @throws Refusal `site_not_granted` */
export async function pulse(principal: Principal, siteId: number): Promise<Pulse> {
  await siteFor(db(), principal, siteId, "viewer");
  const shares = sharesOf(principal);
  const [beat, refused] = await Promise.all([beatOf(siteId, shares), runSmallRead(shares, () => refusedOf(siteId))]);
  return { ...beat, refused };
}

const refusedOf = (siteId: number) => reports().$queryRaw<Pulse["refused"]>`
  SELECT reason, sum(hits)::int AS hits FROM facts.intake
  WHERE site_id = ${siteId} AND outcome IN ('refused', 'filtered') AND day >= (now() AT TIME ZONE 'UTC')::date - 1
  GROUP BY reason ORDER BY hits DESC, reason LIMIT 10`;

/**
 * Runs among the reports of the caller and is charged like them, but is not refused for the time that they have used: an
 * open page needs it. It does not end when the caller leaves, because others may wait for the same answer.
 */
export const runSmallRead = <T>(shares: Shares, work: () => Promise<T>): Promise<T> =>
  asReport({ shares, overBudget: true, deadlineMs: reportDeadlineMs(), gone: new AbortController().signal }, async () =>
    work(),
  );

/** However many look at a site, it is asked once a second. */
const FRESH_MS = 1_000;
const known = boundedMap<number, Promise<Beat>>("last-events", { max: 10_000, ttl: FRESH_MS, ttlResolution: 100 });

/** What of it anyone may know of a public site. @param shares of the caller. */
export function beatOf(siteId: number, shares: Shares): Promise<Beat> {
  const told = known.get(siteId);
  if (told) return told;
  const asked = runSmallRead(shares, () => readBeat(siteId));
  known.set(siteId, asked);
  asked.catch(() => known.delete(siteId));
  return asked;
}

async function readBeat(siteId: number): Promise<Beat> {
  const [[last], [now]] = await Promise.all([
    reports().$queryRaw<{ ts: Date }[]>`
      SELECT ts FROM facts.event WHERE site_id = ${siteId} ORDER BY ts DESC LIMIT 1`,
    reports().$queryRaw<{ present: number }[]>`
      SELECT count(DISTINCT visitor_id)::int AS present FROM facts.event
      WHERE site_id = ${siteId} AND ts > now() - interval '5 minutes' AND traffic = ${TRAFFIC_CLASSES.human}::smallint`,
  ]);
  return { last_event_at: last?.ts.toISOString() ?? null, present: now?.present ?? 0 };
}
