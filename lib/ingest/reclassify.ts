import type pg from "pg";
import { TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import { EDITION, judgeHit, judgeName, VERSION } from "@/lib/ingest/classify";
import { changedFacts } from "@/lib/ingest/store/changed-facts";
import { intern, textOf } from "@/lib/ingest/store/dictionary";
import type { Verdict } from "@/lib/ingest/verdict";
import { ingestPool, inIngestTransaction } from "@/lib/pool";

/** Visits in one transaction: neither a lock nor a stopping server waits for long. */
const CHUNK_VISITS = 5_000;
/** Names the advisory lock of this job, beside the site's id: any number that no other lock has. */
const LOCK = 0x5ec1a55;
const HUMAN: number = TRAFFIC_CLASSES.human;
const ALL: readonly number[] = Object.values(TRAFFIC_CLASSES);
const ROBOTS = ALL.filter((traffic) => traffic !== HUMAN);

/** The edition that a version begins with; `''` is older than all, as what was stored before there were editions. */
const EDITION_OF = (version: string) =>
  `coalesce(substring(${version} FROM '^\\d{4}-\\d\\d-\\d\\d(?:\\.\\d)?(?=:)'), '') COLLATE "C"`;

/**
 * When the lists have changed, decides anew about the visits of every site, from the words that are kept of them: the
 * names of robots and the hosts of referrers. What only the request itself told (headers, address, pace) stays as it
 * was decided then. A run that is cut short is taken up by the next. Of two versions side by side, as in an upgrade of one
 * process after the other, only the newer decides anew about what the older has said.
 */
export async function reclassifySites(now: Date): Promise<void> {
  for (const id of await outdatedSites()) await alone(id, () => reclassifySite(id, now));
}

/** The sites whose visits were last decided about by an older edition, or never. */
export async function outdatedSites(): Promise<number[]> {
  const sites = await ingestPool().query({
    text: `SELECT site.id FROM site LEFT JOIN facts.reclassified AS done ON done.site_id = site.id
           WHERE ${EDITION_OF("done.version")} < $1 ORDER BY site.id`,
    values: [EDITION],
  });
  return sites.rows.map(({ id }) => id);
}

/** Does something with a site, unless another process is at it; the next run looks again. */
async function alone(siteId: number, work: () => Promise<void>): Promise<void> {
  const client = await ingestPool().connect();
  const lock = [LOCK, siteId];
  try {
    const { rows } = await client.query("SELECT pg_try_advisory_lock($1::int, $2::int) AS got", lock);
    if (!rows[0].got) return;
    await work().finally(() => client.query("SELECT pg_advisory_unlock($1::int, $2::int)", lock));
  } finally {
    client.release();
  }
}

/** Decides anew about one site's visits, as far as an older edition did, and remembers that it is done. */
export async function reclassifySite(siteId: number, now: Date, chunkVisits = CHUNK_VISITS): Promise<void> {
  const decide = async (verdicts: [number, Verdict | null][]) => {
    const decisions = new Map<number, Decision>();
    for (const [id, verdict] of verdicts) decisions.set(id, await decisionOf(siteId, verdict, now));
    return decisions;
  };
  const move = (which: Which) => moveVisits(siteId, which, chunkVisits);
  // The old verdicts themselves stay: another process may remember their ids, and they are few.
  const old = await oldVerdicts(siteId);
  await move({ column: "verdict", traffic: ALL, to: await decide(old.map(({ id, ...was }) => [id, redecide(was)])) });
  await move({ column: "agent", traffic: ROBOTS, to: await decide(await unexplained(siteId)) });
  await move({ column: "referrer", traffic: [HUMAN], to: await decide(await spamReferrers(siteId)) });
  await ingestPool().query({
    text: `INSERT INTO facts.reclassified (site_id, version) VALUES ($1, $2)
           ON CONFLICT (site_id) DO UPDATE SET version = excluded.version
           WHERE ${EDITION_OF("reclassified.version")} <= ${EDITION_OF("excluded.version")}`,
    values: [siteId, VERSION],
  });
}

type Old = Verdict & { id: number };

async function oldVerdicts(siteId: number): Promise<Old[]> {
  const found = await ingestPool().query({
    text: `SELECT id, traffic, reason, bot, operator, purpose, verified, version FROM facts.verdict
           WHERE site_id = $1 AND version <> '(other)' AND ${EDITION_OF("version")} < $2 ORDER BY id`,
    values: [siteId, EDITION],
  });
  return found.rows;
}

interface Decision {
  verdict: number;
  traffic: number;
}

/** Only these were decided by a name that is kept. */
const NAMED: readonly string[] = ["ai_agent", "crawler", "robot_words"];

/** What would be said today, as far as the words of the old verdict allow to tell. */
function redecide(old: Verdict): Verdict | null {
  if (old.reason === "spam_referrer") return judgeHit({ byAgent: null, from: old.bot });
  const named = NAMED.includes(old.reason) ? judgeName(old.bot) : null;
  return named ? { ...named, verified: old.verified || named.verified } : { ...old, version: VERSION };
}

async function decisionOf(siteId: number, verdict: Verdict | null, now: Date): Promise<Decision> {
  if (!verdict) return { verdict: 0, traffic: HUMAN };
  const { traffic, reason, bot, operator, purpose, verified, version } = verdict;
  const values = [traffic, reason, bot, operator, purpose, verified, version];
  const [id = 0] = await intern("verdict", [
    { siteId, at: now.getTime(), day: () => now.toISOString().slice(0, 10), text: textOf(values) },
  ]);
  return { verdict: id, traffic: TRAFFIC_CLASSES[traffic as TrafficClass] };
}

/** Robots that were counted before reasons were kept: the dictionary's ids of their agents. */
async function unexplained(siteId: number): Promise<[number, Verdict][]> {
  const found = await ingestPool().query({
    text: `SELECT id, bot FROM facts.agent WHERE site_id = $1 AND bot <> '' AND id IN (
             SELECT agent FROM facts.visit WHERE site_id = $1 AND verdict = 0 AND traffic <> $2)`,
    values: [siteId, HUMAN],
  });
  return found.rows.flatMap(({ id, bot }): [number, Verdict][] => {
    const verdict = judgeName(bot);
    return verdict ? [[id, verdict]] : [];
  });
}

async function spamReferrers(siteId: number): Promise<[number, Verdict][]> {
  const found = await ingestPool().query("SELECT id, url FROM facts.referrer WHERE site_id = $1 AND url <> ''", [
    siteId,
  ]);
  return found.rows.flatMap(({ id, url }): [number, Verdict][] => {
    const verdict = judgeHit({ byAgent: null, from: url });
    return verdict ? [[id, verdict]] : [];
  });
}

/** Visits with one of these ids in a column, and what becomes of each. Those of an agent or referrer have no verdict yet. */
interface Which {
  column: "verdict" | "agent" | "referrer";
  traffic: readonly number[];
  to: ReadonlyMap<number, Decision>;
}

async function moveVisits(siteId: number, which: Which, chunkVisits: number): Promise<void> {
  let from: Date | null = which.to.size > 0 ? new Date(0) : null;
  while (from)
    from = await inIngestTransaction((client) => moveChunk(client, siteId, which, from as Date, chunkVisits));
}

/** @returns from when on to look for the next chunk, or null when this was the last. */
async function moveChunk(client: pg.PoolClient, siteId: number, which: Which, from: Date, chunkVisits: number) {
  const where = `visit.site_id = $1 AND visit.${which.column} = ANY($2::int[]) AND visit.traffic = ANY($3::smallint[])
                 ${which.column === "verdict" ? "" : "AND visit.verdict = 0"}`;
  // Rows are locked in the order of the writer, so that the two wait for each other but never in a circle.
  const chunk = await client.query({
    text: `SELECT visit.visitor_id, visit.started, visit.visit_id, visit.traffic, visit.${which.column} AS by
           FROM facts.visit AS visit
           JOIN (SELECT visitor_id, started FROM facts.visit AS visit WHERE ${where}
                   AND started >= $4 ORDER BY started LIMIT $5) AS asked USING (visitor_id, started)
           WHERE ${where}
           ORDER BY visit.visitor_id, visit.started FOR UPDATE OF visit`,
    values: [siteId, [...which.to.keys()], which.traffic, from, chunkVisits],
  });
  if (chunk.rows.length === 0) return null;
  const times = chunk.rows.map((row) => row.started.getTime());
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  await client.query({
    text: MOVE,
    values: [
      siteId,
      chunk.rows.map((row) => row.visitor_id),
      chunk.rows.map((row) => row.visit_id),
      chunk.rows.map((row) => row.traffic),
      chunk.rows.map((row) => which.to.get(row.by)?.traffic),
      chunk.rows.map((row) => which.to.get(row.by)?.verdict),
      first,
      last,
    ],
  });
  if (chunk.rows.some((row) => which.to.get(row.by)?.traffic !== row.traffic)) {
    const [start, end] = [new Date(first.getTime() - BEFORE_MS), new Date(last.getTime() + AFTER_MS)];
    await client.query(changedFacts([{ siteId, start, end }]));
  }
  return chunk.rows.length < chunkVisits ? null : last;
}

/** How far from the beginning of a visit its events may lie. */
const BEFORE_MS = 3600_000;
const AFTER_MS = 49 * 3600_000;
const FIRST_EVENT = "$7::timestamptz - interval '1 hour'";
const LAST_EVENT = "$8::timestamptz + interval '49 hours'";
/** A visit takes those of its events along that had its class; a longest visit's last event is 48 hours after its first. */
const MOVE = `
  WITH moved AS (
    SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::smallint[], $5::smallint[], $6::int[])
      AS moved(visitor_id, visit_id, was, traffic, verdict)),
  events AS (
    UPDATE facts.event AS event SET traffic = moved.traffic,
      written = coalesce(event.written, facts.whole_xid(event.xmin, pg_snapshot_xmax(pg_current_snapshot())))
    FROM moved
    WHERE event.site_id = $1 AND event.visit_id = moved.visit_id AND event.traffic = moved.was
      AND event.traffic <> moved.traffic
      AND event.ts BETWEEN ${FIRST_EVENT} AND ${LAST_EVENT})
  UPDATE facts.visit AS visit SET verdict = moved.verdict, traffic = moved.traffic FROM moved
  WHERE visit.site_id = $1 AND visit.visitor_id = moved.visitor_id AND visit.visit_id = moved.visit_id
    AND visit.started >= $7 AND visit.started < $8::timestamptz + interval '1 second'`;
