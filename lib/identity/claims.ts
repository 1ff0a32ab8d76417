import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import { type Standing, standingOf, takeOver } from "@/lib/identity/take-over";
import { db, type Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { findProof, type ProofResult, proofPlaces } from "@/lib/platform/outbound/domain-proof";
import { requireRate } from "@/lib/platform/rate";
import { freshSecret } from "@/lib/platform/secrets";
import { plainText } from "@/lib/platform/text";

/**
 * Domain takeover: a person takes over an agent that registered by itself, by verifying the agent's domain. Records are
 * valid for a day, because people wait for DNS to propagate.
 */

const RECORD_VALID_MS = 24 * 3600_000;
/** Limited, because each check does network requests for up to ten seconds. */
const CHECKS = { limit: 20, windowMs: 10 * 60_000 };

export type ProofMethod = "dns" | "https";

/** A record for the person to publish, and its expiry. */
export interface ClaimRecord {
  method: ProofMethod;
  value: string;
  dns_name: string;
  https_url: string;
  expires_at: string;
}

/** An agent as shown to a person who may take it over. */
export interface Claim {
  clientId: string;
  /** Chosen by the agent and unverified. */
  name: string;
  domain: string;
  scopes: Scope[];
  /** `owned`: the site has an owner. `yours`: this person is a member. */
  sites: { siteId: number; domain: string; owned: boolean; yours: boolean }[];
  standing: Standing;
  /** The person's unused records, at most one per method. */
  records: ClaimRecord[];
}

type Claimant = { personId: number; email: string };

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
  if (standing === "taken") return { ...claim, scopes: [], sites: [], records: [] };
  return {
    ...claim,
    scopes: client.grantedScopes.filter((scope): scope is Scope => scope in SCOPES),
    sites: await sitesOf(account.id, personId),
    records: standing === "open" ? (await liveChallenges(clientId, personId, now)).map(recordOf) : [],
  };
}

async function sitesOf(accountId: string, personId: number): Promise<Claim["sites"]> {
  const sites = await db().site.findMany({
    where: { clients: { some: { client: { accountId, revokedAt: null } } } },
    select: {
      id: true,
      domains: { where: { isPrimary: true }, select: { host: true } },
      memberships: { select: { personId: true, role: true } },
    },
    orderBy: { id: "asc" },
  });
  return sites.map(({ id, domains, memberships }) => ({
    siteId: id,
    domain: domains[0]?.host ?? "",
    owned: memberships.some(({ role }) => role === "owner"),
    yours: memberships.some((membership) => membership.personId === personId),
  }));
}

/** Returns the person's newest open challenge per method. */
async function liveChallenges(clientId: string, personId: number, now: Date): Promise<ChallengeRow[]> {
  const alive = { purpose: "claim", clientId, personId, usedAt: null, expiresAt: { gt: now } } as const;
  const challenges = await db().challenge.findMany({ where: alive, orderBy: { createdAt: "asc" } });
  return [...new Map(challenges.map((challenge) => [challenge.method, challenge])).values()];
}
type ChallengeRow = Prisma.ChallengeGetPayload<object>;

const recordOf = ({ method, value, domain, token, expiresAt }: ChallengeRow): ClaimRecord => ({
  method,
  value,
  ...proofPlaces(domain, token),
  expires_at: expiresAt.toISOString(),
});

/**
 * Returns a record for the person to publish: their existing one, or a new one.
 *
 * @throws Refusal `not_found` when there is no such agent, or it already has a person.
 */
export async function startClaim(
  clientId: string,
  method: ProofMethod,
  by: Claimant,
  now: Date,
): Promise<{ record: ClaimRecord }> {
  const { account } = await requireClaimable(clientId);
  if (account.ownerId !== null) throw new Refusal("not_found", "This agent has already been taken over.");
  const known = (await liveChallenges(clientId, by.personId, now)).find((challenge) => challenge.method === method);
  if (known) return { record: recordOf(known) };
  const challenge = await db().challenge.create({
    data: {
      id: `chl_${freshSecret().slice(0, 24)}`,
      purpose: "claim",
      domain: account.domain,
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

/** Result of a check. `missing` contains, per record, what was found instead. */
export interface ClaimCheck {
  standing: Standing;
  missing: (ProofResult & { found: false; method: ProofMethod })[];
}

/**
 * Checks the person's records and transfers the agent to them when at least one is published.
 *
 * @throws Refusal `not_found` when there is no such agent or no record, `rate_limited` after 20 checks in ten minutes.
 */
export async function checkClaim(
  clientId: string,
  by: Claimant & { requestId: string },
  now: Date,
): Promise<ClaimCheck> {
  const client = await requireClaimable(clientId);
  const { account } = client;
  const standing = standingOf(account.ownerId, by.personId);
  if (standing !== "open") return { standing, missing: [] };
  const challenges = await liveChallenges(clientId, by.personId, now);
  if (challenges.length === 0) throw new Refusal("not_found", "Get a record and publish it first.");
  const tooMany = "Too many checks. Wait a few minutes, then check again.";
  await requireRate(`claim:${by.personId}`, CHECKS.limit, CHECKS.windowMs, now, tooMany);
  const findings = await Promise.all(
    challenges.map(async (challenge) => ({ challenge, finding: await findProof(challenge) })),
  );
  const proven = findings.find(({ finding }) => finding.found)?.challenge;
  if (!proven) return { standing, missing: await recordMissing(findings) };
  const person = { id: by.personId, email: by.email };
  const claim = { challengeId: proven.id, accountId: account.id, domain: account.domain, agent: client.name, person };
  return { standing: await takeOver({ ...claim, requestId: by.requestId }, now), missing: [] };
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
  return missing.map(({ challenge, finding }) => ({ ...finding, method: challenge.method }));
}
