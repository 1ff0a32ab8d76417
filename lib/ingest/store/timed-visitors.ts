import type pg from "pg";
import { TIMED_DAYS } from "@/lib/contract/storage-times";
import { EVENT_TYPES, type EventType, TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { LONGEST_VISIT_MS } from "@/lib/ingest/event/catalogue";
import { isoTimestamp } from "@/lib/ingest/store/arrival-time";
import { CLASS_NAMES, FOUND, readVisit, type StoredEvent } from "@/lib/ingest/store/facts";
import { type DimensionIds, VISIT_TIMEOUT_MS, type Visit, type VisitEvent } from "@/lib/ingest/store/visits";
import { DAY_MS } from "@/lib/platform/durations";
import { ingestPool } from "@/lib/platform/pool";

/** Reads and writes what is kept of events whose sender gave their time, and finds what a late event may change. */

/** Visitors, and the interval of epoch milliseconds in which their events may depend on each other. */
export interface Neighbourhood {
  visitors: Set<string>;
  from: number;
  until: number;
  visits: Map<string, Visit>;
}

/** A stored event that is assigned to a visit again. */
export interface PlacedEvent {
  event: VisitEvent;
  ids: DimensionIds;
  seq: string;
  /** As stored: its visit, and the values that it has of it. */
  stored: { visitId: string; visitorId: string; traffic: number; values: string };
}

/** Rounds in which the neighbours of neighbours are looked up. A longer chain of people who share addresses is cut there. */
const MAX_ROUNDS = 30;
/** Visitors of a neighbourhood: more are behind one address, not one person. */
const MAX_VISITORS = 2_000;

const arrayOf = (values: Iterable<string | number>): string => `{${[...values].join(",")}}`;
const dateOf = (ms: number): string => new Date(ms).toISOString();

/** Visits of these visitors or users that touch an interval. */
const VISITS_AROUND = `
  SELECT ${FOUND} FROM facts.visit AS visit
  WHERE visit.site_id = $1 AND visit.visitor_id = ANY($2::bigint[]) AND visit.started > $3 AND visit.started <= $5
    AND visit.started + visit.duration_ms * interval '1 millisecond' >= $4
  UNION ALL
  SELECT ${FOUND} FROM facts.visit AS visit
  WHERE visit.site_id = $1 AND visit.user_hash = ANY($2::bigint[]) AND visit.visitor_id <> ALL($2::bigint[])
    AND visit.started > $3 AND visit.started <= $5
    AND visit.started + visit.duration_ms * interval '1 millisecond' >= $4`;

async function visitsAround(client: pg.PoolClient, siteId: number, { visitors, from, until }: Neighbourhood) {
  const [start, end] = [from - VISIT_TIMEOUT_MS, until + VISIT_TIMEOUT_MS];
  const { rows } = await client.query({
    name: "visits-around",
    text: VISITS_AROUND,
    values: [siteId, arrayOf(visitors), dateOf(start - LONGEST_VISIT_MS), dateOf(start), dateOf(end)],
  });
  return rows.map(readVisit);
}

const EVENTS_AROUND = `
  SELECT DISTINCT visitors::text AS visitors, min(extract(epoch FROM ts)::float8) * 1000 AS first,
    max(extract(epoch FROM ts)::float8) * 1000 AS last
  FROM facts.timed_visitor WHERE site_id = $1 AND visitor_id = ANY($2::bigint[]) AND ts >= $3 AND ts <= $4
  GROUP BY visitors`;

async function eventsAround(client: pg.PoolClient, siteId: number, { visitors, from, until }: Neighbourhood) {
  const { rows } = await client.query({
    name: "timed-events-around",
    text: EVENTS_AROUND,
    values: [siteId, arrayOf(visitors), dateOf(from - VISIT_TIMEOUT_MS), dateOf(until + VISIT_TIMEOUT_MS)],
  });
  return rows as { visitors: string; first: number; last: number }[];
}

/**
 * Returns what is stored around new events of some visitors: their visits, and all visitors whose events one of these may
 * change. Events of none of them lie within 30 minutes of the interval.
 */
export async function neighbourhoodOf(
  client: pg.PoolClient,
  siteId: number,
  { visitors, from, until }: Pick<Neighbourhood, "visitors" | "from" | "until">,
): Promise<Neighbourhood> {
  const near: Neighbourhood = { visitors: new Set(visitors), from, until, visits: new Map() };
  for (let round = 0; round < MAX_ROUNDS && near.visitors.size <= MAX_VISITORS; round++) {
    const before = [near.visitors.size, near.visits.size, near.from, near.until].join();
    const [visits, events] = [await visitsAround(client, siteId, near), await eventsAround(client, siteId, near)];
    for (const visit of visits) {
      near.visits.set(visit.visitId, near.visits.get(visit.visitId) ?? visit);
      near.visitors.add(visit.visitorId as string);
      if (visit.userHash !== null) near.visitors.add(visit.userHash);
      extend(near, visit.started, visit.last);
    }
    for (const { visitors: all, first, last } of events) {
      for (const visitor of all.slice(1, -1).split(",")) near.visitors.add(visitor);
      extend(near, Math.floor(first), Math.ceil(last));
    }
    if (before === [near.visitors.size, near.visits.size, near.from, near.until].join()) break;
  }
  return near;
}

function extend(near: Neighbourhood, from: number, until: number): void {
  near.from = Math.min(near.from, from);
  near.until = Math.max(near.until, until);
}

/**
 * Returns the visits that new events may continue, if no stored event of their visitors comes after the first of them;
 * otherwise null. Cheaper than `neighbourhoodOf`, because most events arrive in order.
 */
export async function visitsBefore(
  client: pg.PoolClient,
  siteId: number,
  { visitors, from, until }: Pick<Neighbourhood, "visitors" | "from" | "until">,
): Promise<Neighbourhood | null> {
  const near: Neighbourhood = { visitors: new Set(visitors), from, until, visits: new Map() };
  const isLater = ({ last }: Visit) => last >= from;
  const visits = await visitsAround(client, siteId, near);
  if (visits.some(isLater)) return null;
  for (const visit of visits) {
    near.visits.set(visit.visitId, visit);
    near.visitors.add(visit.visitorId as string);
    if (visit.userHash !== null) near.visitors.add(visit.userHash);
  }
  const { rows } = await client.query({
    name: "timed-events-after",
    text: `SELECT EXISTS (SELECT FROM facts.timed_visitor
             WHERE site_id = $1 AND visitor_id = ANY($2::bigint[]) AND ts >= $3 AND ts <= $4) AS found`,
    values: [siteId, arrayOf(near.visitors), dateOf(from), dateOf(until + VISIT_TIMEOUT_MS)],
  });
  if (rows[0].found) return null;
  const isNew = ({ visitId }: Visit) => !near.visits.has(visitId);
  return (await visitsAround(client, siteId, near)).some((visit) => isNew(visit) && isLater(visit)) ? null : near;
}

/** Rows of visits are locked in the order of all writers, so that the reclassification job cannot deadlock with them. */
const LOCK_VISITS = `
  SELECT visit.visit_id FROM facts.visit AS visit
  JOIN unnest($2::bigint[], $3::timestamptz[]) AS given(visitor_id, started) USING (visitor_id, started)
  WHERE visit.site_id = $1 ORDER BY visit.visitor_id, visit.started FOR UPDATE OF visit`;

const EVENTS_OF_VISITS = `
  SELECT event.seq, (extract(epoch FROM event.ts) * 1000000)::bigint AS timestamp, event.type, event.visit_id, event.visitor_id,
    event.user_hash, event.page, event.traffic, timed.visitors::text AS visitors,
    concat_ws(',', event.referrer, coalesce(event.campaign, 0), event.place, event.agent) AS stored_values,
    coalesce(timed.referrer, event.referrer) AS referrer, coalesce(timed.campaign, event.campaign, 0) AS campaign,
    coalesce(timed.place, event.place) AS place, coalesce(timed.agent, event.agent) AS agent,
    coalesce(timed.verdict, 0) AS verdict, coalesce(timed.traffic, event.traffic) AS own_traffic
  FROM facts.event AS event
  LEFT JOIN facts.timed_visitor AS timed ON timed.site_id = event.site_id AND timed.seq = event.seq
    AND timed.visitor_id = timed.visitors[1]
  WHERE event.site_id = $1 AND event.ts >= $3 AND event.ts < $4 AND event.visit_id = ANY($2::bigint[])
  ORDER BY event.ts, event.seq LIMIT $5`;

/**
 * Returns the stored events of a neighbourhood in their order; null if there are more than `most`. An event that came without
 * a time is known by its visit and its user.
 */
export async function eventsOfVisitors(
  client: pg.PoolClient,
  siteId: number,
  { visits, from, until }: Neighbourhood,
  most: number,
): Promise<PlacedEvent[] | null> {
  const all = [...visits.values()];
  await client.query({
    name: "lock-visits",
    text: LOCK_VISITS,
    values: [
      siteId,
      arrayOf(all.map(({ visitorId }) => visitorId as string)),
      arrayOf(all.map((v) => dateOf(v.started))),
    ],
  });
  const { rows } = await client.query({
    name: "events-of-visits",
    text: EVENTS_OF_VISITS,
    // The clocks of servers differ a little, so an event may precede its visit.
    values: [
      siteId,
      arrayOf(visits.keys()),
      dateOf(from - VISIT_TIMEOUT_MS),
      dateOf(until + VISIT_TIMEOUT_MS),
      most + 1,
    ],
  });
  if (rows.length > most) return null;
  return rows.map((row) => {
    const visit = visits.get(row.visit_id) as Visit;
    const traffic = CLASS_NAMES.get(row.own_traffic) ?? "human";
    const isBot = traffic === "bot" || traffic === "ai";
    const user = isBot || row.user_hash === null ? [] : [row.user_hash as string];
    const visitors = row.visitors?.slice(1, -1).split(",") ?? [...new Set([...user, row.visitor_id as string])];
    const timestamp = Number(row.timestamp);
    const type = TYPE_NAMES.get(row.type) as EventType;
    const { referrer, campaign, place, agent, page } = row;
    // The verdict of a suspicious event without a time is that of its visit.
    const verdict = row.verdict || (traffic === "human" ? 0 : visit.verdict);
    return {
      event: { siteId, timestamp, type, visitors, userHash: row.user_hash, traffic },
      ids: { referrer, campaign, place, agent, verdict, page, name: 0 },
      seq: row.seq,
      stored: {
        visitId: row.visit_id,
        visitorId: row.visitor_id,
        traffic: row.traffic,
        values: row.stored_values,
      },
    };
  });
}

const TYPE_NAMES = new Map(Object.entries(EVENT_TYPES).map(([name, id]) => [id as number, name as EventType]));

/** Returns the statement that deletes visits which are written again. */
export const deleteVisits = (siteId: number, visits: readonly Visit[]): pg.QueryConfig => ({
  name: "delete-visits",
  text: `DELETE FROM facts.visit AS visit USING unnest($2::bigint[], $3::timestamptz[]) AS given(visitor_id, started)
         WHERE visit.site_id = $1 AND visit.visitor_id = given.visitor_id AND visit.started = given.started`,
  values: [
    siteId,
    arrayOf(visits.map(({ visitorId }) => visitorId as string)),
    arrayOf(visits.map(({ started }) => dateOf(started))),
  ],
});

/** A stored event with the visit that it now belongs to. */
export interface Moved {
  placed: PlacedEvent;
  visit: Visit;
  traffic: number;
}

/** Returns the statement that gives events their visits. */
export const moveEvents = (siteId: number, moved: readonly Moved[]): pg.QueryConfig => ({
  name: "move-events",
  text: `
    UPDATE facts.event AS event SET visit_id = given.visit_id, visitor_id = given.visitor_id, referrer = given.referrer,
      campaign = nullif(given.campaign, 0), place = given.place, agent = given.agent, traffic = given.traffic
    FROM unnest($2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[], $7::int[], $8::int[], $9::int[], $10::smallint[])
      AS given(ts, seq, visit_id, visitor_id, referrer, campaign, place, agent, traffic)
    WHERE event.site_id = $1 AND event.ts = given.ts AND event.seq = given.seq`,
  values: [
    siteId,
    arrayOf(moved.map(({ placed }) => isoTimestamp(placed.event.timestamp))),
    arrayOf(moved.map(({ placed }) => placed.seq)),
    arrayOf(moved.map(({ visit }) => visit.visitId)),
    arrayOf(moved.map(({ visit }) => visit.visitorId as string)),
    arrayOf(moved.map(({ visit }) => visit.referrer)),
    arrayOf(moved.map(({ visit }) => visit.campaign)),
    arrayOf(moved.map(({ visit }) => visit.place)),
    arrayOf(moved.map(({ visit }) => visit.agent)),
    arrayOf(moved.map(({ traffic }) => traffic)),
  ],
});

/**
 * Returns the statement that keeps what the events of a site are of themselves. `insertFacts` has taken their numbers in this
 * transaction, in the same order.
 */
export function insertTimedVisitors(siteId: number, stored: readonly StoredEvent[]): pg.QueryConfig[] {
  const rows = stored.flatMap(({ event, ids }, index) =>
    event.visitors.map((visitor) => ({ event, ids, visitor, behind: stored.length - 1 - index })),
  );
  if (rows.length === 0) return [];
  return [
    {
      name: "insert-timed-visitors",
      text: `
        INSERT INTO facts.timed_visitor (site_id, ts, visitor_id, seq, referrer, campaign, place, agent, verdict, traffic, visitors)
        SELECT $1, given.ts, given.visitor_id, taken.last - given.behind, given.referrer, given.campaign, given.place, given.agent,
          given.verdict, given.traffic, given.visitors::bigint[]
        FROM unnest($2::timestamptz[], $3::bigint[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::smallint[], $11::text[])
          AS given(ts, visitor_id, behind, referrer, campaign, place, agent, verdict, traffic, visitors),
          (SELECT last FROM facts.site_sequence WHERE site_id = $1) AS taken
        ON CONFLICT DO NOTHING`,
      values: [
        siteId,
        arrayOf(rows.map(({ event }) => isoTimestamp(event.timestamp))),
        arrayOf(rows.map(({ visitor }) => visitor)),
        arrayOf(rows.map(({ behind }) => behind)),
        arrayOf(rows.map(({ ids }) => ids.referrer)),
        arrayOf(rows.map(({ ids }) => ids.campaign)),
        arrayOf(rows.map(({ ids }) => ids.place)),
        arrayOf(rows.map(({ ids }) => ids.agent)),
        arrayOf(rows.map(({ ids }) => ids.verdict)),
        arrayOf(rows.map(({ event }) => TRAFFIC_CLASSES[event.traffic])),
        rows.map(({ event }) => arrayOf(event.visitors)),
      ],
    },
  ];
}

/** No late event comes near to older ones: it may be 72 hours late and belongs to a visit of at most 48 hours. */
const KEPT_MS = TIMED_DAYS * DAY_MS;

/** Deletes what is kept of events that no late event can come near to. */
export async function deleteOldTimedVisitors(now: Date): Promise<void> {
  await ingestPool().query("DELETE FROM facts.timed_visitor WHERE ts < $1", [new Date(now.getTime() - KEPT_MS)]);
}
