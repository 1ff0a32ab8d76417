import { createHash } from "node:crypto";
import type pg from "pg";
import { ingestPool } from "@/lib/db";
import { DICTIONARIES, type DictionaryName, intern, type Word } from "@/lib/ingest/dictionary";
import { byNumber, findVisits, insertFacts, type Kept } from "@/lib/ingest/facts";
import type { Hit, Outcome } from "@/lib/ingest/hit";
import { RunningVisits, type WordIds } from "@/lib/ingest/visits";
import { processWide } from "@/lib/process-wide";
import { localDay } from "@/lib/time";

/** When a batch may take its visitors' locks, and whom to tell when it has. */
export interface Turn {
  mine: Promise<void>;
  pass(): void;
}

/** Writes hits in one transaction. @returns an outcome for each, in their order. */
export async function commit(hits: readonly Hit[], turn: Turn): Promise<Outcome[]> {
  try {
    await ensureMonths(hits);
    const words = await internAll(hits);
    return await writeAll(hits, words, turn);
  } finally {
    turn.pass();
  }
}

/** The connection is pipelined: what needs no answer before it is sent without waiting; only COMMIT waits for all. */
async function writeAll(hits: readonly Hit[], words: WordIds[], turn: Turn): Promise<Outcome[]> {
  const client = await ingestPool().connect();
  try {
    await turn.mine;
    const visitors = [...new Set(hits.flatMap((hit) => hit.visitors))].sort(byNumber);
    const [, , repeated, known] = await Promise.all([
      client.query("BEGIN"),
      // Two processes that meet the same visitor in the same moment must agree on one visit. Locks are taken in one
      // order everywhere, before anything else is, so that writers wait for each other but never in a circle.
      client.query({ name: "lock-visitors", text: LOCK_VISITORS, values: [visitors] }).then(turn.pass),
      claimKeys(client, hits),
      findVisits(client, hits),
    ]);
    const { outcomes, kept } = assign(hits, words, repeated, new RunningVisits(known));
    await insertFacts(client, kept);
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

/** Decides, hit by hit in their order, what each one is and which visit it belongs to. */
function assign(hits: readonly Hit[], words: readonly WordIds[], repeated: Set<number>, running: RunningVisits) {
  const kept: Kept[] = [];
  const outcomes = hits.map((hit, index): Outcome => {
    if (repeated.has(index)) return { status: "duplicate" };
    const visit = running.take(hit, words[index] as WordIds);
    if (!visit) return { status: "filtered", reason: "visit_over" };
    const traffic = hit.traffic === "human" && visit.traffic === "suspicious" ? "suspicious" : hit.traffic;
    kept.push({ hit, words: words[index] as WordIds, visit, traffic });
    return { status: "stored" };
  });
  return { outcomes, kept };
}

const knownMonths = processWide("known-months", () => new Set<string>());

/** Facts are partitioned by month; the months of these hits must exist. */
async function ensureMonths(hits: readonly Hit[]): Promise<void> {
  for (const { at } of hits) {
    const month = at.toISOString().slice(0, 7);
    if (knownMonths.has(month)) continue;
    await ingestPool().query("SELECT facts.add_month($1::date)", [`${month}-01`]);
    knownMonths.add(month);
  }
}

/** The dictionary ids of every hit's words. */
async function internAll(hits: readonly Hit[]): Promise<WordIds[]> {
  const ids = hits.map((): WordIds => ({ page: 0, referrer: 0, campaign: 0, place: 0, agent: 0, name: 0, verdict: 0 }));
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
      return { values: [hit.referrer.source, hit.referrer.channel, hit.referrer.url, hit.referrer.rule] };
    case "place":
      return { values: [hit.place.country, hit.place.region, hit.place.city, hit.place.language] };
    case "verdict": {
      const { verdict } = hit;
      return (
        verdict && {
          values: [
            verdict.traffic,
            verdict.reason,
            verdict.bot,
            verdict.operator,
            verdict.purpose,
            verdict.verified,
            verdict.version,
          ],
        }
      );
    }
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
