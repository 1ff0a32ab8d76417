import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { reports } from "@/lib/platform/db";

/** Visitors of many sites in one statement, read from Postgres without a copy of any site. */

/** Time parted into stretches. Sites of one timezone share one of these. */
export interface TimeBuckets {
  /** Where each stretch begins, and where the last one ends; every timezone has equally many. */
  bounds: readonly Date[];
  /** The local day that a stretch is, as YYYY-MM-DD; null for one that is only a part of a day. */
  days: readonly (string | null)[];
}

/** The stretches of each site by its id. */
export type SiteTimeBuckets = ReadonlyMap<number, TimeBuckets>;

/** The human visitors whose visits began in each stretch, by site; no entry for a site without any. */
export async function visitorsByBucket(sites: SiteTimeBuckets): Promise<Map<number, number[]>> {
  const { ids, groups, numbers, moments, first, last } = asUnnest(sites);
  // Visits are hashed by site: loops are off for reports, and a list of ids is one scan of the index.
  const rows = await reports().$queryRaw<{ id: number; stretch: number; visitors: number }[]>`
    WITH zone AS MATERIALIZED (
      SELECT number, array_agg(at ORDER BY at) AS bounds
      FROM unnest(${numbers}::int[], ${moments}::text[]::timestamptz[]) AS bound (number, at) GROUP BY number),
    site AS MATERIALIZED (
      SELECT site.id, zone.bounds FROM unnest(${ids}::int[], ${groups}::int[]) AS site (id, zone)
      JOIN zone ON zone.number = site.zone)
    SELECT id, stretch - 1 AS stretch, count(*)::int AS visitors FROM (
      SELECT DISTINCT site.id, width_bucket(visit.started, site.bounds) AS stretch, visit.visitor_id
      FROM facts.visit JOIN site ON site.id = visit.site_id
      WHERE visit.site_id = ANY(${ids}::int[]) AND visit.traffic = ${TRAFFIC_CLASSES.human}::smallint
        AND visit.started >= ${first}::timestamptz AND visit.started < ${last}::timestamptz) AS seen
    GROUP BY id, stretch`;
  const counted = new Map<number, number[]>();
  for (const { id, stretch, visitors } of rows) listOf(counted, id)[stretch] = visitors;
  return counted;
}

/**
 * The visitors that another service counted, by site and stretch: of those stretches that are whole local days and on which
 * the site has no visits or events, of whatever traffic.
 */
export async function importedVisitorsByBucket(sites: SiteTimeBuckets): Promise<Map<number, number[]>> {
  const days = [...new Set(sites.values())].flatMap((stretches) => stretches.days.filter((day) => day !== null));
  const rows = await reports().$queryRaw<{ id: number; day: string; visitors: number }[]>`
    SELECT site_id AS id, day::text, visitors FROM facts.imported
    WHERE site_id = ANY(${[...sites.keys()]}::int[]) AND dimension = 0 AND day = ANY(${[...new Set(days)]}::text[]::date[])`;
  const imported = new Map<number, number[]>();
  if (rows.length === 0) return imported;
  const concerned = new Map([...sites].filter(([siteId]) => rows.some(({ id }) => id === siteId)));
  const own = await stretchesWithFacts(concerned);
  for (const { id, day, visitors } of rows) {
    const stretch = sites.get(id)?.days.indexOf(day) ?? -1;
    if (stretch >= 0 && !own.get(id)?.has(stretch)) listOf(imported, id)[stretch] = visitors;
  }
  return imported;
}

async function stretchesWithFacts(sites: SiteTimeBuckets): Promise<Map<number, Set<number>>> {
  const { ids, groups, numbers, moments, first, last } = asUnnest(sites);
  const rows = await reports().$queryRaw<{ id: number; stretch: number }[]>`
    WITH zone AS MATERIALIZED (
      SELECT number, array_agg(at ORDER BY at) AS bounds
      FROM unnest(${numbers}::int[], ${moments}::text[]::timestamptz[]) AS bound (number, at) GROUP BY number),
    fact AS (
      SELECT site_id, started AS at FROM facts.visit WHERE site_id = ANY(${ids}::int[])
        AND started >= ${first}::timestamptz AND started < ${last}::timestamptz
      UNION ALL
      SELECT site_id, ts FROM facts.event WHERE site_id = ANY(${ids}::int[])
        AND ts >= ${first}::timestamptz AND ts < ${last}::timestamptz)
    SELECT DISTINCT site.id, width_bucket(fact.at, zone.bounds) - 1 AS stretch
    FROM unnest(${ids}::int[], ${groups}::int[]) AS site (id, zone)
    JOIN zone ON zone.number = site.zone JOIN fact ON fact.site_id = site.id`;
  const found = new Map<number, Set<number>>();
  for (const { id, stretch } of rows) found.set(id, (found.get(id) ?? new Set()).add(stretch));
  return found;
}

/** How many people did anything on each site within the last five minutes; no entry for none. */
export async function countActiveVisitorsBySite(siteIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await reports().$queryRaw<{ id: number; present: number }[]>`
    SELECT site_id AS id, count(DISTINCT visitor_id)::int AS present FROM facts.event
    WHERE site_id = ANY(${[...siteIds]}::int[]) AND ts > now() - interval '5 minutes'
      AND traffic = ${TRAFFIC_CLASSES.human}::smallint AND visitor_id IS NOT NULL
    GROUP BY site_id`;
  return new Map(rows.map(({ id, present }) => [id, present]));
}

/** Sites, the numbers of their stretches, and the bounds of each number as columns; the first and the last of all moments. */
function asUnnest(sites: SiteTimeBuckets) {
  const different = [...new Set(sites.values())];
  const bounds = different.flatMap(({ bounds }, number) => bounds.map((at) => ({ number, at: at.toISOString() })));
  const moments = bounds.map(({ at }) => at);
  const sorted = moments.toSorted();
  return {
    ids: [...sites.keys()],
    groups: [...sites.values()].map((stretches) => different.indexOf(stretches)),
    numbers: bounds.map(({ number }) => number),
    moments,
    first: sorted[0],
    last: sorted.at(-1),
  };
}

function listOf(lists: Map<number, number[]>, id: number): number[] {
  const list = lists.get(id) ?? [];
  lists.set(id, list);
  return list;
}
