import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import { type Standing, standingOf, takeOver } from "@/lib/identity/take-over";
import { db, type Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { type Finding, findProof, proofPlaces } from "@/lib/platform/outbound/domain-proof";
import { takeRate } from "@/lib/platform/rate";
import { freshSecret } from "@/lib/platform/secrets";
import { plainText } from "@/lib/platform/text";

/**
 * How a person takes over an agent that registered by itself: they prove the domain that it has proved. It is a human who
 * waits here for a record to spread, so the task lasts a day and not half an hour.
 */

const LASTS_MS = 24 * 3600_000;
/** Each look goes out into the world for up to ten seconds. */
const LOOKS = { limit: 20, windowMs: 10 * 60_000 };

export type ProofMethod = "dns" | "https";

/** What the person publishes, and until when it is looked for. */
export interface ClaimRecord {
  method: ProofMethod;
  value: string;
  dns_name: string;
  https_url: string;
  expires_at: string;
}

/** An agent as the person sees it who may take it over. */
export interface Claim {
  clientId: string;
  /** What it calls itself; nobody has checked it. */
  name: string;
  domain: string;
  scopes: Scope[];
  /** `owned`: it has an owner already. `yours`: this person belongs to it. */
  sites: { siteId: number; domain: string; owned: boolean; yours: boolean }[];
  standing: Standing;
  /** The records this person has asked for and not yet used, at most one for each method. */
  records: ClaimRecord[];
}

type Claimer = { personId: number; email: string };

/** The live machine client of an account; null for any other: unknown, delegated, revoked. */
async function claimable(clientId: string) {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(clientId)) return null;
  const client = await db().client.findFirst({
    where: { id: clientId, kind: "machine", revokedAt: null },
    include: { account: true },
  });
  return client?.account ? { ...client, account: client.account } : null;
}
type Claimable = NonNullable<Awaited<ReturnType<typeof claimable>>>;

async function claimableOrNone(clientId: string): Promise<Claimable> {
  const client = await claimable(clientId);
  if (!client) throw new Refusal("not_found", "There is no such agent to take over.");
  return client;
}

/** What the page shows; null when there is no such agent. Of an agent that is somebody else's it tells only that. */
export async function readClaim(clientId: string, personId: number, now: Date): Promise<Claim | null> {
  const client = await claimable(clientId);
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

/** The newest challenge of each method that this person may still answer. */
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
 * Gives the person a record to publish: the one they have already, or a new one.
 *
 * @throws Refusal `not_found` when there is no such agent, or it has its human.
 */
export async function startClaim(
  clientId: string,
  method: ProofMethod,
  by: Claimer,
  now: Date,
): Promise<{ record: ClaimRecord }> {
  const { account } = await claimableOrNone(clientId);
  if (account.ownerId !== null) throw new Refusal("not_found", "This agent has been taken over already.");
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
      expiresAt: new Date(now.getTime() + LASTS_MS),
    },
  });
  return { record: recordOf(challenge) };
}

/** What a look at the published records came to. `missing` says of each record what was found instead. */
export interface Look {
  standing: Standing;
  missing: (Finding & { found: false; method: ProofMethod })[];
}

/**
 * Looks for the person's records, and hands the agent over when one is there. Any one of them is enough.
 *
 * @throws Refusal `not_found` when there is no such agent or nothing to look for, `rate_limited` after 20 looks in ten
 *   minutes.
 */
export async function checkClaim(clientId: string, by: Claimer & { requestId: string }, now: Date): Promise<Look> {
  const client = await claimableOrNone(clientId);
  const { account } = client;
  const standing = standingOf(account.ownerId, by.personId);
  if (standing !== "open") return { standing, missing: [] };
  const challenges = await liveChallenges(clientId, by.personId, now);
  if (challenges.length === 0) throw new Refusal("not_found", "Get a record and publish it first.");
  await countLook(by.personId, now);
  const findings = await Promise.all(
    challenges.map(async (challenge) => ({ challenge, finding: await findProof(challenge) })),
  );
  const proven = findings.find(({ finding }) => finding.found)?.challenge;
  if (!proven) return { standing, missing: await noteMissing(findings) };
  const person = { id: by.personId, email: by.email };
  const claim = { challengeId: proven.id, accountId: account.id, domain: account.domain, agent: client.name, person };
  return { standing: await takeOver({ ...claim, requestId: by.requestId }, now), missing: [] };
}

async function countLook(personId: number, now: Date): Promise<void> {
  const { allowed, retryAfter } = await takeRate(`claim:${personId}`, LOOKS.limit, LOOKS.windowMs, now);
  if (allowed) return;
  throw new Refusal("rate_limited", "That was often. Wait a few minutes, then check again.", undefined, retryAfter);
}

async function noteMissing(findings: { challenge: ChallengeRow; finding: Finding }[]): Promise<Look["missing"]> {
  const missing = findings.flatMap(({ challenge, finding }) => (finding.found ? [] : [{ challenge, finding }]));
  const answered = missing.filter(({ finding }) => !finding.temporary);
  await db().challenge.updateMany({
    where: { id: { in: answered.map(({ challenge }) => challenge.id) } },
    data: { attempts: { increment: 1 } },
  });
  return missing.map(({ challenge, finding }) => ({ ...finding, method: challenge.method }));
}
