import { formatUtc, queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { lockSite } from "@/lib/gateway/changes/lock-site";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { requireRoomForSite } from "@/lib/sites/site-limits";

/** A verified takeover: who takes over which account. */
export interface TakeOver {
  challengeId: string;
  accountId: string;
  domain: string;
  /** The agent's name; unverified. */
  agent: string;
  person: { id: number; email: string };
  requestId: string;
}

/** Whether an account is unclaimed, this person's, or another person's. */
export type Standing = "open" | "yours" | "taken";

export const standingOf = (ownerId: number | null, personId: number): Standing =>
  ownerId === null ? "open" : ownerId === personId ? "yours" : "taken";

/**
 * Transfers a machine account to a person, in one transaction: its clients, so that approvals go to them; its tokens,
 * so that the agent continues without interruption; and all its sites without an owner. The first of two claimants
 * wins.
 *
 * @throws Refusal `not_found` when the challenge has expired or was used, `invalid_input` when the sites exceed the
 *   person's limit.
 */
export function takeOver(claim: TakeOver, now: Date): Promise<Standing> {
  const { accountId, person } = claim;
  return db().$transaction(async (tx) => {
    const { count } = await tx.machineAccount.updateMany({
      where: { id: accountId, ownerId: null },
      data: { ownerId: person.id },
    });
    if (count === 0) {
      const account = await tx.machineAccount.findUnique({ where: { id: accountId } });
      return standingOf(account?.ownerId ?? null, person.id);
    }
    await spendChallenge(tx, claim.challengeId, now);
    const clientIds = await takeClients(tx, accountId, person.id);
    const siteIds = await takeSites(tx, clientIds, person.id);
    await auditTakeOver(tx, claim, clientIds, siteIds, now);
    await queueEmail(tx, takeOverEmail(claim, siteIds.length, now), now);
    return "yours";
  });
}

async function spendChallenge(tx: Db, id: string, now: Date): Promise<void> {
  const { count } = await tx.challenge.updateMany({
    where: { id, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === 0) throw new Refusal("not_found", "This record has expired. Reload the page and publish the new one.");
}

/** Locks the clients, which waits for a site they are creating, so that it is included. */
async function takeClients(tx: Db, accountId: string, personId: number): Promise<string[]> {
  const clients = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM client WHERE account_id = ${accountId} AND revoked_at IS NULL ORDER BY id FOR UPDATE`;
  const ids = clients.map(({ id }) => id);
  await tx.client.updateMany({ where: { id: { in: ids }, ownerId: null }, data: { ownerId: personId } });
  await tx.accessToken.updateMany({
    where: { clientId: { in: ids }, ownerId: null, revokedAt: null },
    data: { ownerId: personId },
  });
  return ids;
}

/** @returns the sites whose owner the person became: those without an owner. */
async function takeSites(tx: Db, clientIds: string[], personId: number): Promise<number[]> {
  const granted = await tx.site.findMany({
    where: { clients: { some: { clientId: { in: clientIds } } } },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  const taken: number[] = [];
  for (const { id } of granted) await lockSite(tx, id);
  for (const { id: siteId } of granted) {
    const ownerless = { id: siteId, memberships: { none: { role: "owner" } } } as const;
    if (!(await tx.site.findFirst({ where: ownerless }))) continue;
    await requireRoomForSite(tx, personId, siteId, null);
    await changeSite(tx, siteId);
    await tx.membership.upsert({
      where: { siteId_personId: { siteId, personId } },
      create: { siteId, personId, role: "owner" },
      update: { role: "owner" },
    });
    taken.push(siteId);
  }
  return taken;
}

/** Writes one audit row per client, and one per transferred site. */
async function auditTakeOver(
  tx: Db,
  claim: TakeOver,
  clientIds: string[],
  siteIds: number[],
  now: Date,
): Promise<void> {
  const { accountId, challengeId, domain, person, requestId } = claim;
  await writeAudit(
    tx,
    ...clientIds.flatMap((clientId) =>
      [null, ...siteIds].map((siteId) => ({
        at: now,
        siteId,
        clientId,
        personId: person.id,
        operation: "claims.check",
        requestId,
        detail: { account_id: accountId, challenge_id: challengeId, domain },
      })),
    ),
  );
}

const takeOverEmail = ({ agent, domain, person }: TakeOver, sites: number, now: Date) =>
  writeEmail(
    person.email,
    `You took over an agent: ${domain}`,
    [
      `On ${formatUtc(now)} you verified ${domain} and took over the agent that calls itself ${quoteName(agent)}, with ${sites} ${sites === 1 ? "site" : "sites"} of its own.`,
      "From now on it needs your approval for risky changes.",
      `If this was not you, change your password and disconnect the agent: ${env().BASE_URL}/agents`,
    ],
    "your account took over an agent",
    [domain],
  );
