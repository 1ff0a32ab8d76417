import { formatUtc, queueEmail, quoteName, writeEmail } from "@/lib/email/mailer";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { lockSite } from "@/lib/gateway/changes/lock-site";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { requireRoomForSite } from "@/lib/sites/site-limits";

/** What a proof that was found leads to. */
export interface TakeOver {
  challengeId: string;
  accountId: string;
  domain: string;
  /** What the agent calls itself. */
  agent: string;
  person: { id: number; email: string };
  requestId: string;
}

/** How an account stands to a person: nobody's yet, theirs, or somebody else's. */
export type Standing = "open" | "yours" | "taken";

export const standingOf = (ownerId: number | null, personId: number): Standing =>
  ownerId === null ? "open" : ownerId === personId ? "yours" : "taken";

/**
 * A person becomes the human of a machine account: of its clients, so that approvals go to them; of their tokens, so that
 * the agent goes on without a break; and of every site that has no owner. All of it or nothing. Of two who prove the
 * domain at once the first wins.
 *
 * @throws Refusal `not_found` when the challenge has ended or was used, `invalid_input` when the person has no room for
 *   its sites.
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
    await queueEmail(tx, letterOf(claim, siteIds.length, now), now);
    return "yours";
  });
}

async function spendChallenge(tx: Db, id: string, now: Date): Promise<void> {
  const { count } = await tx.challenge.updateMany({
    where: { id, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === 0) throw new Refusal("not_found", "This record has ended; load the page anew and publish the new one.");
}

/** The lock waits for a site that one of them is just making, so that it is among those that are taken. */
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

/** @returns the sites that are theirs now: those that had no owner. */
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

/** One row for the agent, and one for each site that has changed hands. */
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

const letterOf = ({ agent, domain, person }: TakeOver, sites: number, now: Date) =>
  writeEmail(
    person.email,
    `You took over an agent: ${domain}`,
    [
      `On ${formatUtc(now)} you proved ${domain} and took over the agent that calls itself ${quoteName(agent)}, with ${sites} ${sites === 1 ? "site" : "sites"} of its own.`,
      "From now on it asks you before it does anything grave.",
      `If this was not you, change your password and end the agent's access: ${env().BASE_URL}/agents`,
    ],
    "your account took over an agent",
    [domain],
  );
