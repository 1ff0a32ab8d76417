import { createHash } from "node:crypto";
import type pg from "pg";
import { Refusal } from "@/lib/contract/errors";
import { EVENT_TYPES, TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import { ingestPool } from "@/lib/db";
import { DICTIONARIES, type DictionaryName, intern, type Word } from "@/lib/ingest/dictionary";
import type { Hit, Outcome } from "@/lib/ingest/hit";
import { LONGEST_VISIT_MS, RunningVisits, type Visit, type WordIds } from "@/lib/ingest/visits";
import { describeError, log } from "@/lib/log";
import { processWide } from "@/lib/process-wide";
import { localDay } from "@/lib/time";

/** Hits in one transaction at most, and hits that may wait for one. */
const MOST_IN_BATCH = 1_000;
const MOST_WAITING = 20_000;

interface Waiting {
  hit: Hit;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Group commit: hits that arrive while a transaction is being written form the next one. A hit's promise resolves
 * after the commit that holds it, so that what was answered is stored.
 */
class Writer {
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;

  /** @throws Refusal `unavailable` when too many hits wait already or the database cannot be reached. */
  write(hit: Hit): Promise<Outcome> {
    if (this.waiting.length >= MOST_WAITING) {
      return Promise.reject(
        new Refusal("unavailable", "Too many events are waiting to be written; send it again soon.", undefined, 2),
      );
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ hit, resolve, reject });
      this.writing ??= this.run();
    });
  }

  /** Resolves when everything that was handed over has been written or refused. */
  async drain(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async run(): Promise<void> {
    // Requests of the same turn of the event loop belong to the first batch already.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MOST_IN_BATCH);
      await commitOrRetry(batch);
    }
    this.writing = null;
  }
}

export const writer = (): Writer => processWide("writer", () => new Writer());

/** One bad row must not fail its neighbours: a batch that Postgres refuses is written again, hit by hit. */
async function commitOrRetry(batch: Waiting[]): Promise<void> {
  try {
    const outcomes = await commit(batch.map(({ hit }) => hit));
    for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
  } catch (error) {
    if (isRefusedByPostgres(error) && batch.length > 1) {
      log.warn({ hits: batch.length, ...describeError(error) }, "a batch was refused; writing it hit by hit");
      for (const one of batch) await commitOrRetry([one]);
      return;
    }
    const answer = isRefusedByPostgres(error) ? error : unavailable(error);
    for (const { reject } of batch) reject(answer);
  }
}

/** A statement was refused and rolled back (SQLSTATE), as opposed to a database that is not there or going away. */
function isRefusedByPostgres(error: unknown): boolean {
  const code = (error as { code?: unknown })?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !/^(08|53|57|58)/.test(code);
}

function unavailable(error: unknown): Refusal {
  log.error(describeError(error), "events could not be written");
  return new Refusal(
    "unavailable",
    "The event could not be stored now; send it again, with the same event_id.",
    undefined,
    2,
  );
}

/** Writes hits in one transaction. @returns an outcome for each, in their order. */
async function commit(hits: readonly Hit[]): Promise<Outcome[]> {
  await ensureMonths(hits);
  const words = await internAll(hits);
  const client = await ingestPool().connect();
  try {
    await client.query("BEGIN");
    const visitors = [...new Set(hits.flatMap((hit) => hit.visitors))].sort(byNumber);
    // Two processes that meet the same visitor in the same moment must agree on one visit. Locks are taken in one
    // order everywhere, before anything else is, so that writers wait for each other but never in a circle.
    await client.query({ name: "lock-visitors", text: LOCK_VISITORS, values: [visitors] });
    const repeated = await claimKeys(client, hits);
    const running = new RunningVisits(await findVisits(client, hits));
    const { outcomes, kept } = assign(hits, words, repeated, running);
    if (kept.length > 0) await insert(client, kept);
    await client.query("COMMIT");
    client.release();
    return outcomes;
  } catch (error) {
    await client.query("ROLLBACK").then(
      () => client.release(),
      (broken) => client.release(broken),
    );
    throw error;
  }
}

const LOCK_VISITORS = "SELECT pg_advisory_xact_lock(visitor) FROM unnest($1::bigint[]) AS visitor";

const byNumber = (a: string, b: string) => {
  const difference = BigInt(a) - BigInt(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

interface Kept {
  hit: Hit;
  words: WordIds;
  visit: Visit;
}

/** Decides, hit by hit in their order, what each one is and which visit it belongs to. */
function assign(hits: readonly Hit[], words: readonly WordIds[], repeated: Set<number>, running: RunningVisits) {
  const kept: Kept[] = [];
  const outcomes = hits.map((hit, index): Outcome => {
    if (repeated.has(index)) return { status: "duplicate" };
    const visit = running.take(hit, words[index] as WordIds);
    if (!visit) return { status: "filtered", reason: "visit_over" };
    kept.push({ hit, words: words[index] as WordIds, visit });
    return { status: "stored" };
  });
  return { outcomes, kept };
}

const knownMonths = () => processWide("known-months", () => new Set<string>());

/** Facts are partitioned by month; the months of these hits must exist. */
async function ensureMonths(hits: readonly Hit[]): Promise<void> {
  for (const { at } of hits) {
    const month = at.toISOString().slice(0, 7);
    if (knownMonths().has(month)) continue;
    await ingestPool().query("SELECT facts.add_month($1::date)", [`${month}-01`]);
    knownMonths().add(month);
  }
}

/** The dictionary ids of every hit's words. */
async function internAll(hits: readonly Hit[]): Promise<WordIds[]> {
  const ids = hits.map((): WordIds => ({ page: 0, referrer: 0, campaign: 0, place: 0, agent: 0, name: 0 }));
  for (const name of DICTIONARIES) {
    const having: number[] = [];
    const words: Word[] = [];
    for (const [index, hit] of hits.entries()) {
      const word = wordOf(name, hit);
      if (!word) continue;
      having.push(index);
      words.push({ siteId: hit.site.id, day: () => localDay(hit.at, hit.site.timezone).toString(), ...word });
    }
    const found = await intern(name, words);
    for (const [position, index] of having.entries()) (ids[index] as WordIds)[name] = found[position] as number;
  }
  return ids;
}

function wordOf(name: DictionaryName, hit: Hit): Pick<Word, "values" | "extra"> | null {
  switch (name) {
    case "page":
      return hit.page && { values: [hit.page.hostname, hit.page.path], extra: [hit.page.title] };
    case "name":
      return hit.name === null ? null : { values: [hit.name] };
    case "campaign": {
      const { campaign } = hit;
      return (
        campaign && { values: [campaign.source, campaign.medium, campaign.campaign, campaign.term, campaign.content] }
      );
    }
    case "referrer":
      return { values: [hit.referrer.source, hit.referrer.channel, hit.referrer.url] };
    case "place":
      return { values: [hit.place.country, hit.place.region, hit.place.city, hit.place.language] };
    case "agent": {
      const { agent } = hit;
      return {
        values: [
          agent.browser,
          agent.browser_version,
          agent.os,
          agent.os_version,
          agent.device,
          agent.screen,
          agent.bot,
        ],
      };
    }
  }
}

/**
 * Claims the event ids that senders chose. @returns the positions of hits whose id was claimed before, by an earlier
 * batch or an earlier hit of this one.
 */
async function claimKeys(client: pg.PoolClient, hits: readonly Hit[]): Promise<Set<number>> {
  const repeated = new Set<number>();
  const claims = new Map<string, { index: number; site: number; key: string; day: string }>();
  for (const [index, hit] of hits.entries()) {
    if (hit.key === null) continue;
    const key = createHash("sha256").update(hit.key).digest("hex").slice(0, 32);
    const claim = `${hit.site.id}|${key}`;
    if (claims.has(claim)) repeated.add(index);
    else claims.set(claim, { index, site: hit.site.id, key, day: hit.at.toISOString().slice(0, 10) });
  }
  if (claims.size === 0) return repeated;
  const sorted = [...claims.values()].sort((a, b) => a.site - b.site || (a.key < b.key ? -1 : 1));
  const claimed = await client.query({
    name: "claim-keys",
    text: `INSERT INTO facts.event_key (site_id, key, day) SELECT * FROM unnest($1::int[], $2::uuid[], $3::date[])
           ON CONFLICT DO NOTHING RETURNING site_id, replace(key::text, '-', '') AS key`,
    values: [sorted.map((claim) => claim.site), sorted.map((claim) => claim.key), sorted.map((claim) => claim.day)],
  });
  const won = new Set(claimed.rows.map((row) => `${row.site_id}|${row.key}`));
  for (const [claim, { index }] of claims) if (!won.has(claim)) repeated.add(index);
  return repeated;
}

/** The last visit of everyone whom these hits may come from. */
async function findVisits(client: pg.PoolClient, hits: readonly Hit[]): Promise<Visit[]> {
  const asked = new Map<string, number>();
  let earliest = Number.POSITIVE_INFINITY;
  for (const hit of hits) {
    earliest = Math.min(earliest, hit.at.getTime());
    for (const visitor of hit.visitors) asked.set(visitor, hit.site.id);
  }
  // Planned anew each time: a plan kept from when the month was empty would read every visit of the site.
  const since = new Date(earliest - LONGEST_VISIT_MS);
  const found = await client.query(FIND_VISITS, [[...asked.values()], [...asked.keys()], since]);
  return found.rows.map((row): Visit => {
    const started = Math.round(row.started);
    return {
      siteId: row.site_id,
      visitId: row.visit_id,
      visitorId: row.visitor_id,
      started,
      last: started + row.duration_ms,
      referrer: row.referrer,
      campaign: row.campaign,
      place: row.place,
      agent: row.agent,
      traffic: CLASS_NAMES.get(row.traffic) ?? "human",
      added: { entry: 0, exit: 0, pageviews: 0, events: 0, engagementMs: 0, interactions: 0 },
    };
  });
}

const CLASS_NAMES = new Map(Object.entries(TRAFFIC_CLASSES).map(([name, id]) => [id as number, name as TrafficClass]));

const FIND_VISITS = `
  SELECT found.* FROM unnest($1::int[], $2::bigint[]) AS asked(site_id, visitor_id), LATERAL (
    SELECT site_id, visit_id, visitor_id, extract(epoch FROM started)::float8 * 1000 AS started, duration_ms,
           referrer, campaign, place, agent, traffic
    FROM facts.visit AS visit
    WHERE visit.site_id = asked.site_id AND visit.visitor_id = asked.visitor_id AND visit.started > $3
    ORDER BY visit.started DESC LIMIT 1) AS found`;

/** Inserts the events and adds to their visits, in one statement. */
async function insert(client: pg.PoolClient, kept: readonly Kept[]): Promise<void> {
  const visits = [...new Set(kept.map(({ visit }) => visit))].sort(
    (a, b) => a.siteId - b.siteId || byNumber(a.visitorId, b.visitorId),
  );
  const values = [
    ...EVENT_COLUMNS.map(([, , read]) => kept.map(read)),
    ...VISIT_COLUMNS.map(([, , read]) => visits.map(read)),
  ];
  await client.query({ name: "insert-facts", text: INSERT_FACTS, values });
}

type Column<Row> = [name: string, type: string, read: (row: Row) => unknown];

const EVENT_COLUMNS: Column<Kept>[] = [
  ["ts", "timestamptz", ({ hit }) => hit.at.toISOString()],
  ["visit_id", "bigint", ({ visit }) => visit.visitId],
  ["visitor_id", "bigint", ({ visit }) => visit.visitorId],
  ["site_id", "int", ({ visit }) => visit.siteId],
  ["name", "int", ({ words }) => words.name],
  ["page", "int", ({ words }) => words.page],
  ["referrer", "int", ({ visit }) => visit.referrer],
  ["campaign", "int", ({ visit }) => visit.campaign],
  ["place", "int", ({ visit }) => visit.place],
  ["agent", "int", ({ visit }) => visit.agent],
  ["type", "smallint", ({ hit }) => EVENT_TYPES[hit.type]],
  ["traffic", "smallint", ({ hit }) => TRAFFIC_CLASSES[hit.traffic]],
  ["engagement_ms", "int", ({ hit }) => hit.engagementMs],
  ["scroll", "smallint", ({ hit }) => hit.scroll],
  ["user_hash", "bigint", ({ hit }) => hit.userHash],
  ["revenue", "numeric", ({ hit }) => hit.revenue],
  ["currency", "text", ({ hit }) => hit.currency],
  ["props", "jsonb", ({ hit }) => hit.props],
];

const VISIT_COLUMNS: Column<Visit>[] = [
  ["started", "timestamptz", (visit) => new Date(visit.started).toISOString()],
  ["visit_id", "bigint", (visit) => visit.visitId],
  ["visitor_id", "bigint", (visit) => visit.visitorId],
  ["site_id", "int", (visit) => visit.siteId],
  ["duration_ms", "int", (visit) => visit.last - visit.started],
  ["entry_page", "int", (visit) => visit.added.entry],
  ["exit_page", "int", (visit) => visit.added.exit],
  ["referrer", "int", (visit) => visit.referrer],
  ["campaign", "int", (visit) => visit.campaign],
  ["place", "int", (visit) => visit.place],
  ["agent", "int", (visit) => visit.agent],
  ["pageviews", "int", (visit) => visit.added.pageviews],
  ["events", "int", (visit) => visit.added.events],
  ["engagement_ms", "int", (visit) => visit.added.engagementMs],
  ["interactions", "smallint", (visit) => visit.added.interactions],
  ["traffic", "smallint", (visit) => TRAFFIC_CLASSES[visit.traffic]],
];

const names = (columns: Column<never>[]) => columns.map(([name]) => name).join(", ");
const parameters = (columns: Column<never>[], after: number) =>
  columns.map(([, type], index) => `$${after + index + 1}::${type}[]`).join(", ");

const INSERT_FACTS = `
  WITH events AS (
    INSERT INTO facts.event (${names(EVENT_COLUMNS)})
    SELECT * FROM unnest(${parameters(EVENT_COLUMNS, 0)}))
  INSERT INTO facts.visit AS kept (${names(VISIT_COLUMNS)})
  SELECT * FROM unnest(${parameters(VISIT_COLUMNS, EVENT_COLUMNS.length)})
  ON CONFLICT (site_id, visitor_id, started) DO UPDATE SET
    duration_ms = greatest(kept.duration_ms, excluded.duration_ms),
    entry_page = CASE WHEN kept.entry_page = 0 THEN excluded.entry_page ELSE kept.entry_page END,
    exit_page = CASE WHEN excluded.exit_page = 0 THEN kept.exit_page ELSE excluded.exit_page END,
    pageviews = kept.pageviews + excluded.pageviews,
    events = kept.events + excluded.events,
    engagement_ms = least(2147483647::bigint, kept.engagement_ms::bigint + excluded.engagement_ms)::int,
    interactions = least(100, kept.interactions + excluded.interactions)::smallint`;
