import { TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import { classifyEvent, classifyName, EDITION, VERSION } from "@/lib/ingest/enrich/classify";
import type { Verdict } from "@/lib/ingest/enrich/verdict";
import { intern, textOf } from "@/lib/ingest/store/dictionary";
import {
  type Decision,
  markReclassified,
  reclassifyVisits,
  referrersOf,
  robotsWithoutVerdict,
  type Selection,
  sitesClassifiedBefore,
  verdictsBefore,
} from "@/lib/ingest/store/visit-classes";
import { ingestPool } from "@/lib/platform/pool";

/** Visits in one transaction: neither a lock nor a stopping server waits for long. */
const CHUNK_VISITS = 5_000;
/** Names the advisory lock of this job, beside the site's id: any number that no other lock has. */
const LOCK = 0x5ec1a55;
const HUMAN: number = TRAFFIC_CLASSES.human;
const ALL: readonly number[] = Object.values(TRAFFIC_CLASSES);
const ROBOTS = ALL.filter((traffic) => traffic !== HUMAN);

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
export const outdatedSites = (): Promise<number[]> => sitesClassifiedBefore(EDITION);

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
  const move = (which: Selection) => reclassifyVisits(siteId, which, chunkVisits);
  // The old verdicts themselves stay: another process may remember their ids, and they are few.
  const old = await verdictsBefore(siteId, EDITION);
  await move({ column: "verdict", traffic: ALL, to: await decide(old.map(({ id, ...was }) => [id, redecide(was)])) });
  await move({ column: "agent", traffic: ROBOTS, to: await decide(await unexplained(siteId)) });
  await move({ column: "referrer", traffic: [HUMAN], to: await decide(await spamReferrers(siteId)) });
  await markReclassified(siteId, VERSION);
}

/** Only these were decided by a name that is kept. */
const NAMED: readonly string[] = ["ai_agent", "crawler", "robot_words"];

/** What would be said today, as far as the words of the old verdict allow to tell. */
function redecide(old: Verdict): Verdict | null {
  if (old.reason === "spam_referrer") return classifyEvent({ byAgent: null, from: old.bot });
  const named = NAMED.includes(old.reason) ? classifyName(old.bot) : null;
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
  const found = await robotsWithoutVerdict(siteId);
  return found.flatMap(({ id, bot }): [number, Verdict][] => {
    const verdict = classifyName(bot);
    return verdict ? [[id, verdict]] : [];
  });
}

async function spamReferrers(siteId: number): Promise<[number, Verdict][]> {
  const found = await referrersOf(siteId);
  return found.flatMap(({ id, url }): [number, Verdict][] => {
    const verdict = classifyEvent({ byAgent: null, from: url });
    return verdict ? [[id, verdict]] : [];
  });
}
