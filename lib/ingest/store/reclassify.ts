import type pg from "pg";
import { TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import { classifyEvent, classifyName, EDITION, VERSION } from "@/lib/ingest/enrich/classify";
import { VISIT_SPAN_MS } from "@/lib/ingest/event/catalogue";
import type { Verdict } from "@/lib/ingest/event/verdict";
import { intern, joinText } from "@/lib/ingest/store/dictionary";
import { changedFacts } from "@/lib/ingest/store/sequence";
import { DAY_MS } from "@/lib/platform/durations";
import { ingestPool, inIngestTransaction } from "@/lib/platform/pool";

/** Classifies stored visits again when the lists have changed that their verdicts are based on. */

/** Visits per transaction: few enough that neither a lock nor a stopping server waits for long. */
const CHUNK_VISITS = 5_000;
/** First key of this job's advisory lock, with the site id as the second: any number that no other lock uses. */
const LOCK = 0x5ec1a55;
const HUMAN: number = TRAFFIC_CLASSES.human;
const ALL: readonly number[] = Object.values(TRAFFIC_CLASSES);
const ROBOTS = ALL.filter((traffic) => traffic !== HUMAN);

/**
 * Reclassifies the visits of every site after the lists have changed, from the stored names of robots and hosts of
 * referrers. Verdicts from the request itself (headers, address, pace) stay. An interrupted run is resumed by the next.
 * If two versions run side by side during an upgrade, only the newer one reclassifies.
 */
export async function reclassifySites(now: Date): Promise<void> {
  for (const id of await outdatedSites()) await withSiteLock(id, () => reclassifySite(id, now));
}

/** Returns the sites whose visits were last classified by an older edition, or never. */
export async function outdatedSites(): Promise<number[]> {
  const done = await ingestPool().query({
    text: `SELECT site_id FROM facts.reclassified WHERE ${EDITION_OF("version")} >= $1`,
    values: [EDITION],
  });
  const sites = await ingestPool().query({
    text: "SELECT id FROM site WHERE id <> ALL($1::int[]) ORDER BY id",
    values: [done.rows.map(({ site_id }) => site_id)],
  });
  return sites.rows.map(({ id }) => id);
}

/** Runs `work` for a site unless another process does; the next run tries again. */
async function withSiteLock(siteId: number, work: () => Promise<void>): Promise<void> {
  const client = await ingestPool().connect();
  const lock = [LOCK, siteId];
  try {
    const { rows } = await client.query("SELECT pg_try_advisory_lock($1::int, $2::int) AS locked", lock);
    if (!rows[0].locked) return;
    await work().finally(() => client.query("SELECT pg_advisory_unlock($1::int, $2::int)", lock));
  } finally {
    client.release();
  }
}

/** Reclassifies the visits of one site that an older edition classified, and records the edition. */
export async function reclassifySite(siteId: number, now: Date, chunkVisits = CHUNK_VISITS): Promise<void> {
  const decideAll = async (verdicts: [number, Verdict | null][], was?: ReadonlyMap<number, Verdict>) => {
    const decisions = new Map<number, Decision>();
    for (const [id, verdict] of verdicts) {
      const isShown = (was?.get(id)?.verified ?? "") !== (verdict?.verified ?? "");
      decisions.set(id, { ...(await decisionOf(siteId, verdict, now)), isShown });
    }
    return decisions;
  };
  const reclassify = (which: Selection) => reclassifyVisits(siteId, which, chunkVisits);
  // The old verdict rows stay: another process may have cached their ids, and they are few.
  const old = await oldVerdicts(siteId);
  await reclassify({
    column: "verdict",
    traffic: ALL,
    to: await decideAll(
      old.map(({ id, ...verdict }) => [id, updateVerdict(verdict)]),
      new Map(old.map((verdict) => [verdict.id, verdict])),
    ),
  });
  await reclassify({ column: "agent", traffic: ROBOTS, to: await decideAll(await robotsBeforeReasons(siteId)) });
  await reclassify({ column: "referrer", traffic: [HUMAN], to: await decideAll(await spamReferrers(siteId)) });
  await markReclassified(siteId);
}

/** Reasons that depend on a stored name only. */
const REASONS_BY_NAME: readonly string[] = ["ai_agent", "crawler", "robot_words"];

/** Returns the current verdict for the stored fields of an old one. */
function updateVerdict(old: Verdict): Verdict | null {
  if (old.reason === "spam_referrer") return classifyEvent({ byAgent: null, from: old.bot });
  // Without a stored name there is nothing to judge anew.
  const named = old.bot !== "" && REASONS_BY_NAME.includes(old.reason) ? classifyName(old.bot) : null;
  // A name that was listed stays one: of an operator's own list, or of an agent that signed.
  const isWeaker = named?.reason === "robot_words" && old.reason !== "robot_words";
  return named && !isWeaker ? { ...named, verified: old.verified || named.verified } : { ...old, version: VERSION };
}

async function decisionOf(siteId: number, verdict: Verdict | null, now: Date): Promise<Omit<Decision, "isShown">> {
  if (!verdict) return { verdict: 0, traffic: HUMAN };
  const { traffic, reason, bot, operator, purpose, verified, version } = verdict;
  const values = [traffic, reason, bot, operator, purpose, verified, version];
  const [id = 0] = await intern("verdict", [{ siteId, at: now.getTime(), timezone: "UTC", text: joinText(values) }]);
  return { verdict: id, traffic: TRAFFIC_CLASSES[traffic as TrafficClass] };
}

/** Returns the verdicts of the named robots among the agents of visits that are not human and have no verdict. */
async function robotsBeforeReasons(siteId: number): Promise<[number, Verdict][]> {
  const { rows } = await ingestPool().query<{ id: number; bot: string }>(
    `SELECT id, bot FROM facts.agent WHERE site_id = $1 AND bot <> '' AND id IN (
       SELECT agent FROM facts.visit WHERE site_id = $1 AND verdict = 0 AND traffic <> $2)`,
    [siteId, HUMAN],
  );
  return verdictsOf(rows, ({ bot }) => classifyName(bot));
}

/** Returns the verdicts of the referrers that are spam. */
async function spamReferrers(siteId: number): Promise<[number, Verdict][]> {
  const { rows } = await ingestPool().query<{ id: number; url: string }>(
    "SELECT id, url FROM facts.referrer WHERE site_id = $1 AND url <> ''",
    [siteId],
  );
  return verdictsOf(rows, ({ url }) => classifyEvent({ byAgent: null, from: url }));
}

const verdictsOf = <Row extends { id: number }>(
  rows: readonly Row[],
  judge: (row: Row) => Verdict | null,
): [number, Verdict][] =>
  rows.flatMap((row) => {
    const verdict = judge(row);
    return verdict ? [[row.id, verdict]] : [];
  });

/** SQL for the edition that a version starts with; `''`, older than all, for data from before editions. */
const EDITION_OF = (version: string) =>
  `coalesce(substring(${version} FROM '^\\d{4}-\\d\\d-\\d\\d(?:\\.\\d)?(?=:)'), '') COLLATE "C"`;

/**
 * Stores that this version classified all of a site's visits, unless a newer edition is stored. Copies read the dictionaries
 * again, which know operators and purposes of robots.
 */
async function markReclassified(siteId: number): Promise<void> {
  await inIngestTransaction(async (client) => {
    await client.query({
      text: `INSERT INTO facts.reclassified (site_id, version) VALUES ($1, $2)
             ON CONFLICT (site_id) DO UPDATE SET version = excluded.version
             WHERE ${EDITION_OF("reclassified.version")} <= ${EDITION_OF("excluded.version")}`,
      values: [siteId, VERSION],
    });
    await client.query(changedFacts({ siteId, start: new Date(0), end: new Date(0) }));
  });
}

/** Returns the verdicts of a site made by an older edition. */
async function oldVerdicts(siteId: number): Promise<(Verdict & { id: number })[]> {
  const found = await ingestPool().query({
    text: `SELECT id, traffic, reason, bot, operator, purpose, verified, version FROM facts.verdict
           WHERE site_id = $1 AND version <> '(other)' AND ${EDITION_OF("version")} < $2 ORDER BY id`,
    values: [siteId, EDITION],
  });
  return found.rows;
}

/** The new verdict id and traffic class of visits. */
interface Decision {
  verdict: number;
  traffic: number;
  /** Whether reports tell the visits' old verdict from the new one, even of the same class. */
  isShown: boolean;
}

/**
 * Selects visits by the ids in a column, and maps each id to its decision. For agents and referrers, only visits
 * without a verdict.
 */
interface Selection {
  column: "verdict" | "agent" | "referrer";
  traffic: readonly number[];
  to: ReadonlyMap<number, Decision>;
}

/** Reclassifies visits and their events. @param chunkVisits number of visits per transaction. */
async function reclassifyVisits(siteId: number, selection: Selection, chunkVisits: number): Promise<void> {
  let from: Date | null = selection.to.size > 0 ? new Date(0) : null;
  while (from)
    from = await inIngestTransaction((client) => reclassifyChunk(client, siteId, selection, from as Date, chunkVisits));
}

/** @returns the start of the next chunk, or null after the last. */
async function reclassifyChunk(
  client: pg.PoolClient,
  siteId: number,
  selection: Selection,
  from: Date,
  chunkVisits: number,
) {
  const where = `visit.site_id = $1 AND visit.${selection.column} = ANY($2::int[]) AND visit.traffic = ANY($3::smallint[])
                 ${selection.column === "verdict" ? "" : "AND visit.verdict = 0"}`;
  // Rows are locked in the writer's order, so that the two cannot deadlock.
  const chunk = await client.query({
    text: `SELECT visit.visitor_id, visit.started, visit.visit_id, visit.traffic, visit.${selection.column} AS by
           FROM facts.visit AS visit
           JOIN (SELECT visitor_id, started FROM facts.visit AS visit WHERE ${where}
                   AND started >= $4 ORDER BY started LIMIT $5) AS chunk USING (visitor_id, started)
           WHERE ${where}
           ORDER BY visit.visitor_id, visit.started FOR UPDATE OF visit`,
    values: [siteId, [...selection.to.keys()], selection.traffic, from, chunkVisits],
  });
  if (chunk.rows.length === 0) return null;
  const times = chunk.rows.map((row) => row.started.getTime());
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  await client.query({
    text: RECLASSIFY,
    values: [
      siteId,
      chunk.rows.map((row) => row.visitor_id),
      chunk.rows.map((row) => row.visit_id),
      chunk.rows.map((row) => row.traffic),
      chunk.rows.map((row) => selection.to.get(row.by)?.traffic),
      chunk.rows.map((row) => selection.to.get(row.by)?.verdict),
      first,
      last,
    ],
  });
  const changed = chunk.rows.filter(({ by, traffic }) => {
    const decision = selection.to.get(by);
    return decision?.isShown || decision?.traffic !== traffic;
  });
  for (const { start, end } of spansAround(changed.map(({ started }) => started.getTime())))
    await client.query(changedFacts({ siteId, start, end }));
  return chunk.rows.length < chunkVisits ? null : last;
}

/** How far before and after the start of a visit its events may be. */
const BEFORE_MS = 3600_000;
const AFTER_MS = VISIT_SPAN_MS;

/**
 * Returns the spans in which visits of these starts have events, so that copies read again only what changed: a new edition
 * leaves most visits in their class. Starts within a day share a span.
 */
function spansAround(starts: readonly number[]): { start: Date; end: Date }[] {
  const spans: { from: number; to: number }[] = [];
  for (const at of [...starts].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && at - last.to < DAY_MS) last.to = at;
    else spans.push({ from: at, to: at });
  }
  return spans.map(({ from, to }) => ({ start: new Date(from - BEFORE_MS), end: new Date(to + AFTER_MS) }));
}

const FIRST_EVENT = "$7::timestamptz - interval '1 hour'";
const LAST_EVENT = `$8::timestamptz + interval '${VISIT_SPAN_MS} milliseconds'`;
/** Changes visits, and the events that had their visit's class: in the order of `insertFacts`, which `facts.add_month` has too. */
const RECLASSIFY = `
  WITH moved AS (
    SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::smallint[], $5::smallint[], $6::int[])
      AS moved(visitor_id, visit_id, was, traffic, verdict)),
  visits AS (
    UPDATE facts.visit AS visit SET verdict = moved.verdict, traffic = moved.traffic FROM moved
    WHERE visit.site_id = $1 AND visit.visitor_id = moved.visitor_id AND visit.visit_id = moved.visit_id
      AND visit.started >= $7 AND visit.started < $8::timestamptz + interval '1 second')
  UPDATE facts.event AS event SET traffic = moved.traffic FROM moved
  WHERE event.site_id = $1 AND event.visit_id = moved.visit_id AND event.traffic = moved.was
    AND event.traffic <> moved.traffic
    AND event.ts BETWEEN ${FIRST_EVENT} AND ${LAST_EVENT}`;
