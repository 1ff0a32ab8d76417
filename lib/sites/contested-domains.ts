import { type Db, db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { lockRow } from "@/lib/platform/lock-row";
import { findProof } from "@/lib/platform/outbound/domain-proof";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { takeRate } from "@/lib/platform/rate";
import { emailDomainContested } from "@/lib/sites/domain-notices";
import { checkProofs, proves } from "@/lib/sites/verification";
import { t } from "@/lib/texts/translate";

/**
 * Verified domains that someone else has proven too. A domain stays with its site while the site's proof is found; when
 * the proof has been missing for a week of repeated looks, the next fresh proof of someone else moves the domain.
 */

/** Days that the proof of a domain's site must be missing before the domain can move. */
export const MISSING_DAYS = 7;
/** Looks that are further apart do not belong to one series: the proof may have been there in between. */
const LONGEST_GAP_MS = 2 * DAY_MS;
const LOOK_EVERY_MS = 6 * 3600_000;
/** Without another fresh proof for this long, a contest ends. */
const LAPSES_AFTER_MS = 30 * DAY_MS;
/** A domain moves only right after a look. */
const FRESH_LOOK_MS = 10 * 60_000;
const LOOKS_PER_RUN = 100;
const LOOKS_AT_ONCE = 5;

/** What is known about a domain that somebody has just proven, from the view of everyone but its site. */
export interface Contest {
  /** `none`: no other site has verified the domain. `unknown`: the name servers did not respond. */
  proof: "none" | "found" | "missing" | "unknown";
  /** When the proof of the domain's site was first missing, and when the domain can move; null unless it is missing. */
  missing_since: string | null;
  moves_at: string | null;
}

type Held = { id: number; siteId: number; host: string; proofValue: string | null; proofToken: string | null };

/**
 * Looks for the proof of the site that has verified a domain, because someone else has just proven the domain. Makes
 * network requests, so call it outside of transactions.
 *
 * @param siteId the site that has proven it; null for a site that does not exist yet
 */
export async function contestDomain(
  host: string,
  siteId: number | null,
  now: Date,
  internet?: Internet,
): Promise<Contest> {
  const held = await db().siteDomain.findUnique({ where: { host } });
  if (!held?.verifiedAt || held.siteId === siteId) return { proof: "none", missing_since: null, moves_at: null };
  const proof = await lookForProof(held, internet);
  const since = await recordLook(held, proof, { provenAt: now, now });
  return {
    proof,
    missing_since: since?.toISOString() ?? null,
    moves_at: since && movesAt(since).toISOString(),
  };
}

export const movesAt = (missingSince: Date) => new Date(missingSince.getTime() + MISSING_DAYS * DAY_MS);

/** Returns when another site can take the primary domain of a site; null unless someone else has proven it. */
export async function primaryMovesAt(on: Db, siteId: number): Promise<Date | null> {
  const contest = await on.domainContest.findFirst({ where: { domain: { siteId, isPrimary: true } } });
  return contest && movesAt(contest.missingSince);
}

/**
 * Tells somebody who has proven a domain of another site what happens next; null if nothing is in the way.
 *
 * @param again what to do again: verify the domain, or register with a new challenge
 */
export function whatHappensNext(
  { proof, missing_since, moves_at }: Contest,
  again: "verify" | "register",
): string | null {
  if (proof === "none") return null;
  if (proof === "found") {
    return t(
      "You have proven the domain, but it belongs to another site whose proof is still published. If you own the domain, remove that proof from its TXT records, its file and its home page. Once it has been missing for {days} days, the domain moves.",
      { days: MISSING_DAYS },
    );
  }
  if (proof === "unknown" || missing_since === null || moves_at === null) {
    return t(
      "You have proven the domain, but it belongs to another site, and the name servers did not respond when we looked for the proof of that site. In a minute, {again, select, verify {verify the domain} other {register with a new challenge}} again.",
      { again },
    );
  }
  return t(
    "You have proven the domain, but another site verified it before you. The proof of that site has been missing since {since}, and its owners were told. Keep your proof published and, after {time}, {again, select, verify {verify the domain} other {register with a new challenge}} again: the domain moves then, unless the other proof was found meanwhile.",
    { since: missing_since, time: moves_at, again },
  );
}

/** Returns whether a contested domain can move now. The caller's transaction must hold its row. */
export async function mayMove(tx: Db, host: string, now: Date): Promise<boolean> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const lost = { missingSince: { lte: ago(MISSING_DAYS * DAY_MS) }, checkedAt: { gte: ago(FRESH_LOOK_MS) } };
  return (await tx.domainContest.count({ where: { host, ...lost } })) === 1;
}

/** Any proof that ever verified the domain counts: the site's own value, and that of its registration. */
async function lookForProof(held: Held, internet?: Internet): Promise<"found" | "missing" | "unknown"> {
  const { siteId, host: domain, proofValue: value, proofToken: token } = held;
  const [tried, ...registered] = await Promise.all([
    checkProofs(siteId, domain, env().BASE_URL, internet),
    ...(value && token
      ? (["dns", "https"] as const).map((method) => findProof({ domain, method, value, token }, internet))
      : []),
  ]);
  if (tried.some(proves) || registered.some(({ found }) => found)) return "found";
  return tried.some(({ method, outcome }) => method === "dns" && outcome === "later") ? "unknown" : "missing";
}

/**
 * Records a look. The first one that misses the proof emails the owners of the domain's site; one that finds it ends the
 * contest.
 *
 * @returns since when the proof has been missing; null if it was found, or the domain has moved meanwhile
 */
const recordLook = (
  { id, siteId, host }: Held,
  proof: "found" | "missing" | "unknown",
  { provenAt, now }: { provenAt: Date; now: Date },
): Promise<Date | null> =>
  db().$transaction(async (tx) => {
    await lockRow(tx, "site_domain", id);
    if (!(await tx.siteDomain.findUnique({ where: { id, verifiedAt: { not: null } } }))) return null;
    const known = await tx.domainContest.findUnique({ where: { host } });
    if (proof === "unknown") return known?.missingSince ?? null;
    if (proof === "found") {
      await tx.domainContest.deleteMany({ where: { host } });
      return null;
    }
    const isSeries = known !== null && now.getTime() - known.checkedAt.getTime() <= LONGEST_GAP_MS;
    const missingSince = isSeries ? known.missingSince : now;
    const look = { missingSince, checkedAt: now, provenAt };
    await tx.domainContest.upsert({ where: { host }, create: { host, ...look }, update: look });
    // One a day, so that whoever controls the domain cannot send many by publishing and removing a proof.
    const isFirst = !isSeries && (await takeRate(`contest-email:${host}`, 1, DAY_MS, now, tx)).allowed;
    if (isFirst) await emailDomainContested(tx, { siteId, host }, movesAt(now), now);
    return missingSince;
  });

/** Looks again for the proofs of contested domains. Ends contests that nobody has renewed, and interrupted series. */
export async function lookAgain(now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  await db().domainContest.deleteMany({
    where: { OR: [{ provenAt: { lt: ago(LAPSES_AFTER_MS) } }, { checkedAt: { lt: ago(LONGEST_GAP_MS) } }] },
  });
  const due = await db().domainContest.findMany({
    where: { checkedAt: { lt: ago(LOOK_EVERY_MS) } },
    include: { domain: true },
    orderBy: { checkedAt: "asc" },
    take: LOOKS_PER_RUN,
  });
  const work = async () => {
    for (let next = due.shift(); next; next = due.shift()) {
      const { domain, provenAt } = next;
      await recordLook(domain, await lookForProof(domain), { provenAt, now });
    }
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, work));
}
