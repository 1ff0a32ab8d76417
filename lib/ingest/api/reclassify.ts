import { TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import { classifyEvent, classifyName, EDITION, VERSION } from "@/lib/ingest/enrich/classify";
import type { Verdict } from "@/lib/ingest/event/verdict";
import { intern } from "@/lib/ingest/store/dictionary";
import { joinText } from "@/lib/ingest/store/dictionary-rows";
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
export const outdatedSites = (): Promise<number[]> => sitesClassifiedBefore(EDITION);

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
  const old = await verdictsBefore(siteId, EDITION);
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
  await markReclassified(siteId, VERSION);
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

/** Robots from before reasons were stored: the dictionary ids of their agents. */
async function robotsBeforeReasons(siteId: number): Promise<[number, Verdict][]> {
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
