import { z } from "zod";
import { CAUSES, type Cause } from "@/lib/monitoring/causes";
import { notifyIncident } from "@/lib/monitoring/notices";
import { type Db, db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";

/**
 * Opens, closes and lists the incidents of sites. Each incident is notified once when it starts and once when it
 * ends.
 */

/** Further incidents of the same cause within a day are listed on the page but not notified. */
const NOTIFIED_PER_DAY = 3;
export const LISTED = 30;

export interface Incident {
  id: number;
  cause: Cause;
  startedAt: Date;
  /** Null while it is open. */
  endedAt: Date | null;
  /** What was observed when it started, as a sentence. */
  seen: string;
  /** Whether people were notified; false beyond the daily limit. */
  notified: boolean;
}

/** An incident in API responses. */
export const incidentShape = z
  .object({
    incident_id: z.int(),
    cause: z.enum(Object.keys(CAUSES) as [Cause, ...Cause[]]),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable().meta({ description: "Null while it is open" }),
    seen: z.string().meta({ description: "What was observed when it started" }),
    notified: z.boolean().meta({
      description: `Whether people were notified; false beyond ${NOTIFIED_PER_DAY} of a cause within a day`,
    }),
  })
  .meta({
    id: "Incident",
    examples: [
      {
        incident_id: 42,
        cause: "unreachable",
        started_at: "2026-11-18T02:10:00Z",
        ended_at: "2026-11-18T02:25:00Z",
        seen: "The page of example.com responded with 502, twice in a row.",
        notified: true,
      },
    ],
  });

export const describeIncident = ({ id, startedAt, endedAt, ...incident }: Incident): z.input<typeof incidentShape> => ({
  incident_id: id,
  cause: incident.cause,
  started_at: startedAt.toISOString(),
  ended_at: endedAt?.toISOString() ?? null,
  seen: incident.seen,
  notified: incident.notified,
});

const INCIDENT_FIELDS = { id: true, cause: true, startedAt: true, endedAt: true, seen: true, notified: true } as const;

/** Lists the latest incidents of a site, open ones first. */
export async function listIncidents(siteId: number, on: Db = db()): Promise<Incident[]> {
  return on.incident.findMany({
    where: { siteId },
    orderBy: [{ endedAt: { sort: "desc", nulls: "first" } }, { startedAt: "desc" }, { id: "desc" }],
    take: LISTED,
    select: INCIDENT_FIELDS,
  });
}

/** Returns the causes of the open incidents of these sites, by site id; no entry for none. */
export async function openIncidents(on: Db, siteIds: readonly number[]): Promise<Map<number, Cause[]>> {
  const rows = await on.incident.findMany({
    where: { siteId: { in: [...siteIds] }, endedAt: null },
    select: { siteId: true, cause: true },
    orderBy: { id: "asc" },
  });
  const causes = new Map<number, Cause[]>();
  for (const { siteId, cause } of rows) causes.set(siteId, [...(causes.get(siteId) ?? []), cause]);
  return causes;
}

/** Lists the latest incidents that were open at any time of a range, oldest first. @param range `start` is inclusive, `end` exclusive */
export async function incidentsIn(
  siteId: number,
  { start, end }: { start: Date; end: Date },
  on: Db,
): Promise<Incident[]> {
  const latest = await on.incident.findMany({
    where: { siteId, startedAt: { lt: end }, OR: [{ endedAt: null }, { endedAt: { gt: start } }] },
    orderBy: [{ startedAt: "desc" }, { id: "desc" }],
    take: LISTED,
    select: INCIDENT_FIELDS,
  });
  return latest.reverse();
}

/**
 * Opens an incident of a monitored site and queues its notifications, in one transaction. Does nothing while an
 * incident of the same cause is open.
 *
 * @param found when it started, and what was observed, as a sentence
 */
export async function openIncident(
  siteId: number,
  cause: Cause,
  found: { since: Date; seen: string },
  now: Date,
): Promise<void> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  await db().$transaction(async (tx) => {
    const [opened] = await tx.$queryRaw<{ id: number; notified: boolean }[]>`
      INSERT INTO incident (site_id, cause, started_at, seen, notified)
      SELECT site.id, ${cause}::incident_cause, ${found.since}::timestamptz, ${found.seen},
        ${NOTIFIED_PER_DAY} > (SELECT count(*) FROM incident AS earlier WHERE earlier.site_id = site.id
          AND earlier.cause = ${cause}::incident_cause AND earlier.notified AND earlier.started_at > ${dayAgo})
      FROM site WHERE site.id = ${siteId} AND site.monitoring AND site.disabled_at IS NULL FOR SHARE OF site
      ON CONFLICT (site_id, cause) WHERE ended_at IS NULL DO NOTHING
      RETURNING id, notified`;
    if (opened?.notified) await notifyIncident(tx, siteId, await readIncident(tx, opened.id), now);
  });
}

/** Closes the open incident of this cause and notifies again if its start was notified. @param endedAt when it ended */
export async function closeIncident(siteId: number, cause: Cause, endedAt: Date, now: Date): Promise<void> {
  await db().$transaction(async (tx) => {
    const [closed] = await tx.$queryRaw<{ id: number; notified: boolean }[]>`
      UPDATE incident SET ended_at = greatest(${endedAt}::timestamptz, started_at)
      WHERE site_id = ${siteId} AND cause = ${cause}::incident_cause AND ended_at IS NULL
      RETURNING id, notified`;
    if (closed?.notified) await notifyIncident(tx, siteId, await readIncident(tx, closed.id), now);
  });
}

const readIncident = (tx: Db, id: number): Promise<Incident> =>
  tx.incident.findUniqueOrThrow({ where: { id }, select: INCIDENT_FIELDS });

/** Returns the start of the open incident of this cause; null if there is none. */
export async function openSince(siteId: number, cause: Cause): Promise<Date | null> {
  const open = await db().incident.findFirst({ where: { siteId, cause, endedAt: null }, select: { startedAt: true } });
  return open?.startedAt ?? null;
}
