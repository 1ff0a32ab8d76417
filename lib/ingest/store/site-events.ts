import { EVENT_TYPES, PRESENCE, TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { VISIT_SPAN_MS } from "@/lib/ingest/event/catalogue";
import { reports } from "@/lib/platform/reports";
import { type Sql, sql } from "@/lib/platform/sql";

/** What Postgres answers about the events of sites without copies of their facts: of one, and of many in one statement each. */

/** Returns the time of any pageview of the page since `since`, or null. */
export async function pageviewSince(
  siteId: number,
  { hostname, path }: { hostname: string; path: string },
  since: Date,
): Promise<Date | null> {
  const {
    rows: [row],
  } = await reports().query<{ ts: Date }>(sql`
    SELECT ts FROM facts.event
    WHERE site_id = ${siteId} AND ts >= ${since} AND type = ${EVENT_TYPES.pageview}::smallint
      AND page = (SELECT id FROM facts.page WHERE site_id = ${siteId} AND hostname = ${hostname}
        AND facts.digest(path) = facts.digest(${path}) AND path = ${path} AND NOT retired)
    LIMIT 1`);
  return row?.ts ?? null;
}

/** Returns whether any event since `since` named a user. */
export async function readUsesUserIds(siteId: number, since: Date): Promise<boolean> {
  const {
    rows: [row],
  } = await reports().query<{ found: boolean }>(sql`
    SELECT EXISTS (
      SELECT 1 FROM facts.event WHERE site_id = ${siteId} AND ts >= ${since} AND user_hash IS NOT NULL
    ) AS found`);
  return row?.found ?? false;
}

/** The times of a site's first and last events, null where it has none, and their number. */

export async function firstEventAt(siteId: number): Promise<Date | null> {
  const {
    rows: [first],
  } = await reports().query<{ ts: Date }>(sql`
    SELECT ts FROM facts.event WHERE site_id = ${siteId} ORDER BY ts LIMIT 1`);
  return first?.ts ?? null;
}

export async function lastEventAt(siteId: number): Promise<Date | null> {
  const {
    rows: [last],
  } = await reports().query<{ ts: Date }>(sql`
    SELECT ts FROM facts.event WHERE site_id = ${siteId} ORDER BY ts DESC LIMIT 1`);
  return last?.ts ?? null;
}

/** Events are counted up to this number, so that a count of any site is answered at once. */
export const MOST_COUNTED = 1_000_000;

/** Returns the number of a site's events, all or before a moment; at most one more than `MOST_COUNTED`. */
export async function countEvents(siteId: number, before: Date | null): Promise<number> {
  const {
    rows: [row],
  } = await reports().query<{ events: number }>(sql`
    SELECT count(*)::int AS events FROM (
      SELECT FROM facts.event WHERE site_id = ${siteId} AND (${before}::timestamptz IS NULL OR ts < ${before})
      LIMIT ${MOST_COUNTED + 1}
    ) AS counted`);
  return row?.events ?? 0;
}

/** The condition of the index of visits by time: Postgres does not see it in a list of more than a hundred sites. */
const INDEXED_BY_TIME = sql`site_id > 0`;

/** Time split into buckets. Sites of one timezone share an instance. */
export interface TimeBuckets {
  /** Start of each bucket, and end of the last one. */
  bounds: readonly Date[];
  /** The local day that a bucket covers, as YYYY-MM-DD; null for a bucket that is part of a day. */
  days: readonly (string | null)[];
}

/** The buckets of each site, by site id. */
type SiteTimeBuckets = ReadonlyMap<number, TimeBuckets>;

/** Returns the human visitors with an event in each bucket, by site; no entry for a site without any. */
export async function visitorsByBucket(sites: SiteTimeBuckets): Promise<Map<number, number[]>> {
  const columns = asUnnest(sites);
  const { ids, first, last } = columns;
  // Visits are hashed by site: nested loops are disabled for reports, and a list of ids is one index scan. Few visits reach
  // a later bucket: only for those events are looked up, on the node of their site.
  const { rows } = await reports().query<{ id: number; bucket: number; visitors: number }>(sql`
    WITH ${bucketBounds(columns)}
    SELECT id, bucket - 1 AS bucket, count(*)::int AS visitors FROM (
      SELECT DISTINCT visit.site_id AS id, reached.bucket, visit.visitor_id
      FROM (
        SELECT site_id, visit_id, visitor_id, started, started + duration_ms * interval '1 millisecond' AS ended
        FROM facts.visit
        WHERE ${INDEXED_BY_TIME} AND site_id = ANY(${ids}::int[]) AND traffic = ${TRAFFIC_CLASSES.human}::smallint
          AND started >= ${first}::timestamptz - ${VISIT_SPAN_MS}::int * interval '1 millisecond' AND started < ${last}::timestamptz) AS visit
      JOIN site ON site.id = visit.site_id
      CROSS JOIN LATERAL generate_series(
        width_bucket(visit.started, site.bounds), width_bucket(visit.ended, site.bounds)) AS reached (bucket)
      WHERE visit.ended >= ${first}::timestamptz AND reached.bucket > 0 AND reached.bucket < array_length(site.bounds, 1)
        AND (visit.started >= site.bounds[reached.bucket] OR (
          SELECT true FROM facts.event
          WHERE event.site_id = visit.site_id AND event.visit_id = visit.visit_id
            AND event.ts >= site.bounds[reached.bucket] AND event.ts < site.bounds[reached.bucket + 1]
            AND event.ts <= visit.ended + interval '1 millisecond'
            AND event.traffic = ${TRAFFIC_CLASSES.human}::smallint AND event.type = ANY(${[...PRESENCE]}::smallint[]) LIMIT 1))
    ) AS present GROUP BY id, bucket`);
  const counted = new Map<number, number[]>();
  for (const { id, bucket, visitors } of rows) listOf(counted, id)[bucket] = visitors;
  return counted;
}

/** Returns the human visits that started in each bucket, by site; no entry for a site without any. */
export const visitsByBucket = (sites: SiteTimeBuckets): Promise<Map<number, number[]>> =>
  countByBucket(
    sites,
    ({ ids, first, last }) => sql`
    SELECT site_id, started AS at FROM facts.visit
    WHERE ${INDEXED_BY_TIME} AND site_id = ANY(${ids}::int[]) AND traffic = ${TRAFFIC_CLASSES.human}::smallint
      AND started >= ${first}::timestamptz AND started < ${last}::timestamptz`,
  );

/** Returns the human pageviews of each bucket, by site; no entry for a site without any. */
export const pageviewsByBucket = (sites: SiteTimeBuckets): Promise<Map<number, number[]>> =>
  countByBucket(
    sites,
    ({ ids, first, last }) => sql`
    SELECT site_id, ts AS at FROM facts.event
    WHERE site_id = ANY(${ids}::int[]) AND traffic = ${TRAFFIC_CLASSES.human}::smallint
      AND type IN (${EVENT_TYPES.pageview}, ${EVENT_TYPES.screen}) AND ts >= ${first}::timestamptz AND ts < ${last}::timestamptz`,
  );

async function countByBucket(sites: SiteTimeBuckets, facts: (of: ReturnType<typeof asUnnest>) => Sql) {
  const columns = asUnnest(sites);
  const { rows } = await reports().query<{ id: number; bucket: number; counted: number }>(sql`
    WITH ${bucketBounds(columns)}
    SELECT site.id, width_bucket(fact.at, site.bounds) - 1 AS bucket, count(*)::int AS counted
    FROM (${facts(columns)}) AS fact JOIN site ON site.id = fact.site_id GROUP BY 1, 2`);
  const counts = new Map<number, number[]>();
  for (const { id, bucket, counted } of rows) listOf(counts, id)[bucket] = counted;
  return counts;
}

/** What another service counted on a day; null is what its export lacks. */
export interface ImportedDay {
  visitors: number;
  visits: number | null;
  pageviews: number | null;
}

/**
 * Returns the sums imported from another service, by site and bucket: only for buckets that are whole local days and in
 * which the site has no visits or events of any traffic class.
 */
export async function importedByBucket(sites: SiteTimeBuckets): Promise<Map<number, ImportedDay[]>> {
  const days = [...new Set(sites.values())].flatMap((buckets) => buckets.days.filter((day) => day !== null));
  const { rows } = await reports().query<ImportedDay & { id: number; day: string }>(sql`
    SELECT site_id AS id, day::text, visitors, visits, pageviews FROM facts.imported
    WHERE site_id = ANY(${[...sites.keys()]}::int[]) AND dimension = 0 AND day = ANY(${[...new Set(days)]}::text[]::date[])`);
  const imported = new Map<number, ImportedDay[]>();
  if (rows.length === 0) return imported;
  const withImports = new Map([...sites].filter(([siteId]) => rows.some(({ id }) => id === siteId)));
  const own = await factsByBucket(withImports);
  for (const { id, day, ...sums } of rows) {
    const bucket = sites.get(id)?.days.indexOf(day) ?? -1;
    if (bucket >= 0 && !own.get(id)?.[bucket]) listOf(imported, id)[bucket] = sums;
  }
  return imported;
}

/** Counts the visits and events of any traffic class. */
const factsByBucket = (sites: SiteTimeBuckets): Promise<Map<number, number[]>> =>
  countByBucket(
    sites,
    ({ ids, first, last }) => sql`
    SELECT site_id, started AS at FROM facts.visit WHERE ${INDEXED_BY_TIME} AND site_id = ANY(${ids}::int[])
      AND started >= ${first}::timestamptz AND started < ${last}::timestamptz
    UNION ALL
    SELECT site_id, ts FROM facts.event WHERE site_id = ANY(${ids}::int[])
      AND ts >= ${first}::timestamptz AND ts < ${last}::timestamptz`,
  );

/** Counts the human visitors of each site with an event in the last five minutes; no entry for none. */
export async function countActiveVisitors(siteIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await reports().query<{ id: number; active: number }>(sql`
    SELECT site_id AS id, count(DISTINCT visitor_id)::int AS active FROM facts.event
    WHERE site_id = ANY(${[...siteIds]}::int[]) AND ts > now() - interval '5 minutes'
      AND traffic = ${TRAFFIC_CLASSES.human}::smallint AND visitor_id IS NOT NULL
    GROUP BY site_id`);
  return new Map(rows.map(({ id, active }) => [id, active]));
}

/** Returns sites, their bucket sets and the bounds of each set as columns, with the first and last bound. */
function asUnnest(sites: SiteTimeBuckets) {
  const distinct = [...new Set(sites.values())];
  const bounds = distinct.flatMap(({ bounds }, number) => bounds.map((at) => ({ number, at: at.toISOString() })));
  const moments = bounds.map(({ at }) => at);
  const sorted = moments.toSorted();
  return {
    ids: [...sites.keys()],
    groups: [...sites.values()].map((buckets) => distinct.indexOf(buckets)),
    numbers: bounds.map(({ number }) => number),
    moments,
    first: sorted[0],
    last: sorted.at(-1),
  };
}

/** SQL for the table `site` of a statement: each site with the bounds of its buckets. */
const bucketBounds = ({ ids, groups, numbers, moments }: ReturnType<typeof asUnnest>): Sql => sql`zone AS MATERIALIZED (
      SELECT number, array_agg(at ORDER BY at) AS bounds
      FROM unnest(${numbers}::int[], ${moments}::text[]::timestamptz[]) AS bound (number, at) GROUP BY number),
    site AS MATERIALIZED (
      SELECT site.id, zone.bounds FROM unnest(${ids}::int[], ${groups}::int[]) AS site (id, zone)
      JOIN zone ON zone.number = site.zone)`;

function listOf<Item>(lists: Map<number, Item[]>, id: number): Item[] {
  const list = lists.get(id) ?? [];
  lists.set(id, list);
  return list;
}
