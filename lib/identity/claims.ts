import { SCOPES, type Scope } from "@/lib/contract/access";
import { sameDigest } from "@/lib/identity/open-challenge";
import { proofsNeeded, type Standing, standingOf, takeOver } from "@/lib/identity/take-over";
import { db, type Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { WRONG_KEYS_OF_A_DOMAIN } from "@/lib/platform/limits";
import { findProof, type ProofResult, proofPlaces } from "@/lib/platform/outbound/domain-proof";
import { requireRate } from "@/lib/platform/rate";
import { digest, freshSecret } from "@/lib/platform/secrets";
import { plainText } from "@/lib/platform/text";

/**
 * Domain takeover: a person takes over sites of an agent that registered by itself, each by proving its domains, or all
 * by one of them and the agent's recovery key. Records are valid for a day, because people wait for DNS to propagate.
 */

const RECORD_VALID_MS = DAY_MS;
/** Limited, because each check does network requests for up to ten seconds. */
const CHECKS = { limit: 20, windowMs: 10 * 60_000 };
/** Open records of a person for one agent: a check looks for all of them. */
const MAX_RECORDS = 20;

export type ProofMethod = "dns" | "https";

/** A record for the person to publish, and its expiry. */
export interface ClaimRecord {
  domain: string;
  method: ProofMethod;
  value: string;
  dns_name: string;
  https_url: string;
  expires_at: string;
}

/** A site of an agent: the person's own one, or one that they can take over. */
export interface ClaimSite {
  siteId: number;
  /** The primary domain; empty for a site that has lost all of its domains. */
  domain: string;
  yours: boolean;
  /** The domains whose proof hands it over; none without a domain, or once it is the person's. */
  proofs: string[];
}

/** An agent as shown to a person who may take it over. */
export interface Claim {
  clientId: string;
  /** Chosen by the agent and unverified. */
  name: string;
  domain: string;
  scopes: Scope[];
  sites: ClaimSite[];
  /** The number of its sites that have other owners, who stay. */
  otherSites: number;
  standing: Standing;
  /** The person's unused records, at most one per domain and method. */
  records: ClaimRecord[];
}

type Claimant = { personId: number; email: string; sid: string };

/** Returns the active machine client of an account; null when it is unknown, delegated or revoked. */
async function findClaimable(clientId: string) {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(clientId)) return null;
  const client = await db().client.findFirst({
    where: { id: clientId, kind: "machine", revokedAt: null },
    include: { account: true },
  });
  return client?.account ? { ...client, account: client.account } : null;
}
type Claimable = NonNullable<Awaited<ReturnType<typeof findClaimable>>>;

async function requireClaimable(clientId: string): Promise<Claimable> {
  const client = await findClaimable(clientId);
  if (!client) throw new Refusal("not_found", "No agent with this id can be taken over.");
  return client;
}

/** Returns the agent for the takeover page; null when there is none. Hides the details of another person's agent. */
export async function readClaim(clientId: string, personId: number, now: Date): Promise<Claim | null> {
  const client = await findClaimable(clientId);
  if (!client) return null;
  const { account } = client;
  const standing = standingOf(account.ownerId, personId);
  const claim = { clientId, name: plainText(client.name), domain: account.domain, standing };
  if (standing === "taken") return { ...claim, scopes: [], sites: [], otherSites: 0, records: [] };
  return {
    ...claim,
    scopes: client.grantedScopes.filter((scope): scope is Scope => scope in SCOPES),
    ...(await sitesOf(account.id, personId)),
    records: standing === "open" ? (await liveChallenges(clientId, personId, now)).map(recordOf) : [],
  };
}

async function sitesOf(accountId: string, personId: number): Promise<Pick<Claim, "sites" | "otherSites">> {
  const rows = await db().site.findMany({
    where: { clients: { some: { client: { accountId, revokedAt: null } } } },
    include: { domains: { orderBy: { id: "asc" } }, memberships: { where: { role: "owner" } } },
    orderBy: { id: "asc" },
  });
  const sites = rows.flatMap(({ id: siteId, domains, memberships }) => {
    const yours = memberships.some((owner) => owner.personId === personId);
    if (memberships.length > 0 && !yours) return [];
    const domain = domains.find(({ isPrimary }) => isPrimary)?.host ?? "";
    return [{ siteId, domain, yours, proofs: yours ? [] : proofsNeeded(domains) }];
  });
  return { sites, otherSites: rows.length - sites.length };
}

/** Returns the person's newest open challenge per domain and method. */
async function liveChallenges(clientId: string, personId: number, now: Date): Promise<ChallengeRow[]> {
  const alive = { purpose: "claim", clientId, personId, usedAt: null, expiresAt: { gt: now } } as const;
  const challenges = await db().challenge.findMany({ where: alive, orderBy: { createdAt: "asc" } });
  return [...new Map(challenges.map((challenge) => [`${challenge.method} ${challenge.domain}`, challenge])).values()];
}
type ChallengeRow = Prisma.ChallengeGetPayload<object>;

const recordOf = ({ method, value, domain, token, expiresAt }: ChallengeRow): ClaimRecord => ({
  domain,
  method,
  value,
  ...proofPlaces(domain, token),
  expires_at: expiresAt.toISOString(),
});

/**
 * Returns a record for the person to publish: their existing one, or a new one.
 *
 * @throws Refusal `not_found` when there is no such agent, or it already has a person; `invalid_input` at `domain` for a
 *   domain that hands over no site, or beyond 20 open records.
 */
export async function startClaim(
  clientId: string,
  { domain, method }: { domain: string; method: ProofMethod },
  by: Claimant,
  now: Date,
): Promise<{ record: ClaimRecord }> {
  const { account } = await requireClaimable(clientId);
  if (account.ownerId !== null) throw new Refusal("not_found", "This agent has already been taken over.");
  const { sites } = await sitesOf(account.id, by.personId);
  if (!sites.some(({ proofs }) => proofs.includes(domain))) {
    throw invalidInput([
      { path: "domain", message: "hands over no site of this agent; reload the page to see which do" },
    ]);
  }
  const live = await liveChallenges(clientId, by.personId, now);
  const known = live.find((challenge) => challenge.method === method && challenge.domain === domain);
  if (known) return { record: recordOf(known) };
  if (live.length >= MAX_RECORDS) {
    const message = `would be your record ${MAX_RECORDS + 1}; first publish and check those that you have`;
    throw invalidInput([{ path: "domain", message }]);
  }
  const challenge = await db().challenge.create({
    data: {
      id: `chl_${freshSecret().slice(0, 24)}`,
      purpose: "claim",
      domain,
      method,
      value: `footfall-verify=${freshSecret()}`,
      token: freshSecret(),
      clientId,
      personId: by.personId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + RECORD_VALID_MS),
    },
  });
  return { record: recordOf(challenge) };
}

/** Result of a check: the sites that it handed over and, per record that was not found, what was found instead. */
export interface ClaimCheck {
  standing: Standing;
  taken: number[];
  missing: (ProofResult & { found: false; method: ProofMethod; domain: string })[];
}

/**
 * Checks the person's records and hands over the sites whose domains are all proven or, with the agent's recovery key
 * and at least one proof, all its sites without an owner.
 *
 * @throws Refusal `not_found` when there is no such agent or no record, `recovery_key_wrong`, `rate_limited` after 20
 *   checks in ten minutes or ten wrong keys in an hour.
 */
export async function checkClaim(
  clientId: string,
  by: Claimant & { requestId: string },
  recoveryKey: string | null,
  now: Date,
): Promise<ClaimCheck> {
  const client = await requireClaimable(clientId);
  const { account } = client;
  const standing = standingOf(account.ownerId, by.personId);
  if (standing !== "open") return { standing, taken: [], missing: [] };
  const challenges = await liveChallenges(clientId, by.personId, now);
  if (challenges.length === 0) throw new Refusal("not_found", "Get a record and publish it first.");
  const tooMany = "Too many checks. Wait a few minutes, then check again.";
  await requireRate(`claim:${by.personId}`, CHECKS.limit, CHECKS.windowMs, now, tooMany);
  if (recoveryKey !== null) await requireKey(account, recoveryKey, by.personId, now);
  const findings = await Promise.all(
    challenges.map(async (challenge) => ({ challenge, finding: await findProof(challenge) })),
  );
  const proven = findings.filter(({ finding }) => finding.found).map(({ challenge }) => challenge);
  const missing = await recordMissing(findings);
  if (proven.length === 0) return { standing, taken: [], missing };
  const person = { id: by.personId, email: by.email, sid: by.sid };
  const claim = { accountId: account.id, domain: account.domain, agent: client.name, person, requestId: by.requestId };
  const given = { challenges: proven, hasKey: recoveryKey !== null };
  return { ...(await takeOver({ ...claim, ...given }, now)), missing };
}

/** Counted per person, so that a stranger cannot use up the limit of the key's holder. */
async function requireKey(account: Claimable["account"], key: string, personId: number, now: Date): Promise<void> {
  if (sameDigest(account.recoveryHash, digest(key))) return;
  const { limit, seconds } = WRONG_KEYS_OF_A_DOMAIN;
  const tooMany = `At most ${limit} wrong recovery keys an hour. Try again later, or prove the domain of each site.`;
  await requireRate(`claim:wrong-keys:${account.id}:${personId}`, limit, seconds * 1000, now, tooMany);
  const message = "This is not the agent's recovery key. Enter the right one, or leave it out and prove each domain.";
  throw new Refusal("recovery_key_wrong", message);
}

async function recordMissing(
  findings: { challenge: ChallengeRow; finding: ProofResult }[],
): Promise<ClaimCheck["missing"]> {
  const missing = findings.flatMap(({ challenge, finding }) => (finding.found ? [] : [{ challenge, finding }]));
  const answered = missing.filter(({ finding }) => !finding.temporary);
  await db().challenge.updateMany({
    where: { id: { in: answered.map(({ challenge }) => challenge.id) } },
    data: { attempts: { increment: 1 } },
  });
  return missing.map(({ challenge: { method, domain }, finding }) => ({ ...finding, method, domain }));
}
