import { readerOf } from "@/lib/auth/notices";
import { lockSession } from "@/lib/auth/session-row";
import { formatUtc, queueEmail, quoteName, type Reader, writeEmail } from "@/lib/email/mailer";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { lockSite } from "@/lib/gateway/changes/lock-site";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { requireRoomForSite } from "@/lib/sites/site-limits";
import { t } from "@/lib/texts/translate";

/** A verified takeover: who has proven which domains of which account. */
export interface TakeOver {
  /** The challenges whose proof was found. */
  challenges: readonly { id: string; domain: string }[];
  /** Whether they also have the recovery key, which stands for the proofs of all other domains. */
  hasKey: boolean;
  accountId: string;
  domain: string;
  /** The agent's name; unverified. */
  agent: string;
  person: { id: number; email: string; sid: string };
  requestId: string;
}

/** Whether an account is unclaimed, this person's, or another person's. */
export type Standing = "open" | "yours" | "taken";

export const standingOf = (ownerId: number | null, personId: number): Standing =>
  ownerId === null ? "open" : ownerId === personId ? "yours" : "taken";

/**
 * Returns the domains of a site whose proofs hand it over: the primary one and the verified ones. Other domains have no
 * proven holder, and move to whoever proves them.
 */
export const proofsNeeded = (domains: readonly { host: string; isPrimary: boolean; verifiedAt: Date | null }[]) =>
  domains.filter(({ isPrimary, verifiedAt }) => isPrimary || verifiedAt !== null).map(({ host }) => host);

/**
 * Makes a person the owner of the sites of a machine account that they have proven, in one transaction. Approvals of
 * these sites go to them; the agent keeps its access to its other sites, which wait for their own human. Once all its
 * sites are theirs, the account is too: its clients and tokens then act for them. The first of two claimants wins.
 *
 * @throws Refusal `not_found` when a challenge has expired or was used, `invalid_input` when the sites exceed the
 *   person's limit.
 */
export function takeOver(claim: TakeOver, now: Date): Promise<{ standing: Standing; taken: number[] }> {
  const { accountId, person } = claim;
  return db().$transaction(async (tx) => {
    await lockSession(tx, { personId: person.id, sid: person.sid }, now);
    const clientIds = await lockClients(tx, accountId);
    const account = await tx.machineAccount.findUnique({ where: { id: accountId } });
    const standing = standingOf(account?.ownerId ?? null, person.id);
    const sites = standing === "open" ? await takeSites(tx, clientIds, claim) : [];
    const taken = sites.map(({ siteId }) => siteId);
    if (sites.length === 0) return { standing, taken };
    await spendChallenges(tx, contributing(claim, sites), now);
    const isWhole = await ownsAll(tx, clientIds, person.id);
    if (isWhole) await takeAccount(tx, accountId, clientIds, person.id);
    await auditTakeOver(tx, claim, clientIds, isWhole ? [null, ...taken] : taken, now);
    await queueEmail(tx, takeOverEmail(await readerOf(tx, person.id), claim, sites, isWhole, now), now);
    return { standing: isWhole ? "yours" : "open", taken };
  });
}

/** The others stay open, for sites that need a further proof. */
const contributing = ({ challenges, hasKey }: TakeOver, sites: TakenSite[]) =>
  challenges.filter(({ domain }) => hasKey || sites.some(({ proofs }) => proofs.includes(domain)));

async function spendChallenges(tx: Db, challenges: TakeOver["challenges"], now: Date): Promise<void> {
  const ids = challenges.map(({ id }) => id);
  const { count } = await tx.challenge.updateMany({
    where: { id: { in: ids }, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === ids.length) return;
  throw new Refusal("not_found", "This record has expired. Reload the page and publish the new one.");
}

/**
 * Locks the clients, which waits for a site they are creating and for tokens that are being issued to them, so that these
 * are known.
 */
async function lockClients(tx: Db, accountId: string): Promise<string[]> {
  const clients = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM client WHERE account_id = ${accountId} AND revoked_at IS NULL ORDER BY id FOR UPDATE`;
  return clients.map(({ id }) => id);
}

const ownsAll = async (tx: Db, clientIds: string[], personId: number): Promise<boolean> => {
  const others = { memberships: { none: { personId, role: "owner" } } } as const;
  return (await tx.site.count({ where: { ...others, clients: { some: { clientId: { in: clientIds } } } } })) === 0;
};

async function takeAccount(tx: Db, accountId: string, clientIds: string[], personId: number): Promise<void> {
  await tx.machineAccount.updateMany({ where: { id: accountId }, data: { ownerId: personId } });
  await tx.client.updateMany({ where: { id: { in: clientIds }, ownerId: null }, data: { ownerId: personId } });
  await tx.accessToken.updateMany({
    where: { clientId: { in: clientIds }, ownerId: null, revokedAt: null },
    data: { ownerId: personId },
  });
}

interface TakenSite {
  siteId: number;
  domain: string;
  proofs: string[];
}

/** @returns the sites whose owner the person became: those without an owner that they have proven. */
async function takeSites(tx: Db, clientIds: string[], claim: TakeOver): Promise<TakenSite[]> {
  const { hasKey, challenges, person } = claim;
  const proven = new Set(challenges.map(({ domain }) => domain));
  const isProven = (needed: string[]) => needed.length > 0 && needed.every((host) => proven.has(host));
  const granted = { clients: { some: { clientId: { in: clientIds } } } };
  const ids = await tx.site.findMany({ where: granted, select: { id: true }, orderBy: { id: "asc" } });
  for (const { id } of ids) await lockSite(tx, id);
  const ownerless = await tx.site.findMany({
    where: { id: { in: ids.map(({ id }) => id) }, memberships: { none: { role: "owner" } } },
    include: { domains: { orderBy: { id: "asc" } } },
    orderBy: { id: "asc" },
  });
  const taken = ownerless.filter(({ domains }) => hasKey || isProven(proofsNeeded(domains)));
  for (const { id: siteId } of taken) {
    await requireRoomForSite(tx, person.id, siteId, null);
    await changeSite(tx, siteId);
    await tx.membership.upsert({
      where: { siteId_personId: { siteId, personId: person.id } },
      create: { siteId, personId: person.id, role: "owner" },
      update: { role: "owner" },
    });
  }
  return taken.map(({ id: siteId, domains }) => ({
    siteId,
    domain: domains.find(({ isPrimary }) => isPrimary)?.host ?? `site ${siteId}`,
    proofs: proofsNeeded(domains),
  }));
}

/** Writes one audit row per client and transferred site; null stands for the account. */
async function auditTakeOver(
  tx: Db,
  claim: TakeOver,
  clientIds: string[],
  siteIds: (number | null)[],
  now: Date,
): Promise<void> {
  const { accountId, challenges, hasKey, person, requestId } = claim;
  const proofs = { challenge_ids: challenges.map(({ id }) => id), domains: challenges.map(({ domain }) => domain) };
  await writeAudit(
    tx,
    ...clientIds.flatMap((clientId) =>
      siteIds.map((siteId) => ({
        at: now,
        siteId,
        clientId,
        personId: person.id,
        operation: "claims.check",
        requestId,
        detail: { account_id: accountId, ...proofs, recovery_key: hasKey },
      })),
    ),
  );
}

function takeOverEmail(
  reader: Reader,
  { agent, domain, hasKey, challenges }: TakeOver,
  sites: TakenSite[],
  isWhole: boolean,
  now: Date,
) {
  const proven = [...new Set(challenges.map((challenge) => challenge.domain))];
  const list = sites.map((site) => site.domain).join(", ");
  return writeEmail(reader, () => {
    const named = { time: formatUtc(now), domains: proven.join(", "), name: quoteName(agent), sites: list };
    return {
      subject: isWhole
        ? t("You took over an agent: {domain}", { domain })
        : t("You took over sites of an agent: {sites}", { sites: list }),
      paragraphs: [
        hasKey
          ? t(
              "On {time} you verified {domains} and gave the agent's recovery key. You are now the owner of these sites of the agent that calls itself {name}: {sites}.",
              named,
            )
          : t(
              "On {time} you verified {domains}. You are now the owner of these sites of the agent that calls itself {name}: {sites}.",
              named,
            ),
        isWhole
          ? t("The agent now acts for you and needs your approval for risky changes.")
          : t(
              "The agent now needs your approval for risky changes of these sites. It has other sites, which are not yours.",
            ),
        t("If this was not you, change your password and remove the agent: {url}", { url: `${env().BASE_URL}/agents` }),
      ],
      why: t("your account took over sites of an agent"),
      kept: [domain, ...proven],
    };
  });
}
