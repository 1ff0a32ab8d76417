import type { Cause } from "@/lib/monitoring/causes";
import { tell } from "@/lib/monitoring/notices";
import { type Db, db } from "@/lib/platform/db";

/** What goes wrong on a site, from its beginning to its end, and that people hear of it once. */

/** After so many of one cause in a day further ones stand on the page, and nobody is told. */
const TOLD_A_DAY = 3;
const DAY_MS = 24 * 3600_000;
const SHOWN = 30;

export interface Incident {
  id: number;
  cause: Cause;
  startedAt: Date;
  /** Null while it goes on. */
  endedAt: Date | null;
  /** What was seen when it began, in a sentence. */
  seen: string;
  /** Whether people were told. */
  told: boolean;
}

const SHOWN_OF_IT = { id: true, cause: true, startedAt: true, endedAt: true, seen: true, told: true } as const;

/** The incidents of a site: those that go on, then the latest. */
export const listIncidents = (siteId: number): Promise<Incident[]> =>
  db().incident.findMany({
    where: { siteId },
    orderBy: [{ endedAt: { sort: "desc", nulls: "first" } }, { startedAt: "desc" }, { id: "desc" }],
    take: SHOWN,
    select: SHOWN_OF_IT,
  });

/**
 * Begins an incident of a monitored site, and tells those who want to hear of it; nothing while one of the same cause
 * goes on. Both together happen or neither does, whoever finds it.
 *
 * @param found since when, and what was seen, in a sentence.
 */
export async function begin(
  siteId: number,
  cause: Cause,
  found: { since: Date; seen: string },
  now: Date,
): Promise<void> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  await db().$transaction(async (tx) => {
    const [begun] = await tx.$queryRaw<{ id: number; told: boolean }[]>`
      INSERT INTO incident (site_id, cause, started_at, seen, told)
      SELECT site.id, ${cause}::incident_cause, ${found.since}::timestamptz, ${found.seen},
        ${TOLD_A_DAY} > (SELECT count(*) FROM incident AS earlier WHERE earlier.site_id = site.id
          AND earlier.cause = ${cause}::incident_cause AND earlier.told AND earlier.started_at > ${dayAgo})
      FROM site WHERE site.id = ${siteId} AND site.monitoring FOR SHARE OF site
      ON CONFLICT (site_id, cause) WHERE ended_at IS NULL DO NOTHING
      RETURNING id, told`;
    if (begun?.told) await tell(tx, siteId, await incidentOf(tx, begun.id), now);
  });
}

/** Ends what goes on of a cause, and tells those who were told of its beginning. @param at when it was over. */
export async function end(siteId: number, cause: Cause, at: Date, now: Date): Promise<void> {
  await db().$transaction(async (tx) => {
    const [over] = await tx.$queryRaw<{ id: number; told: boolean }[]>`
      UPDATE incident SET ended_at = greatest(${at}::timestamptz, started_at)
      WHERE site_id = ${siteId} AND cause = ${cause}::incident_cause AND ended_at IS NULL
      RETURNING id, told`;
    if (over?.told) await tell(tx, siteId, await incidentOf(tx, over.id), now);
  });
}

const incidentOf = (tx: Db, id: number): Promise<Incident> =>
  tx.incident.findUniqueOrThrow({ where: { id }, select: SHOWN_OF_IT });

/** Since when an incident of this cause goes on; null when none does. */
export async function openSince(siteId: number, cause: Cause): Promise<Date | null> {
  const open = await db().incident.findFirst({ where: { siteId, cause, endedAt: null }, select: { startedAt: true } });
  return open?.startedAt ?? null;
}
