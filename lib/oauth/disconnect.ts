import type { AnyOperation } from "@/lib/contract/define";
import type { Scope } from "@/lib/contract/vocabulary";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import { supersedeApprovals } from "@/lib/gateway/changes/supersede-approvals";
import { ownAgents } from "@/lib/oauth/connections";
import { emailAgentRemoved } from "@/lib/oauth/notices";
import { revokeClients } from "@/lib/oauth/revoke-clients";
import { withClientLock } from "@/lib/oauth/tokens";
import type { Db, Prisma } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";

/** A person takes from an agent what it may do. It holds from the agent's next call on. */

export interface AgentChange {
  personId: number;
  clientId: string;
  requestId: string;
}

const approvalNotFound = () =>
  new Refusal("not_found", "There is no such agent among yours; it may be disconnected already.");

/**
 * Ends an agent of one's own: its client, every token, what it waits for and what it was allowed. Nothing brings it back;
 * it can only be connected anew.
 *
 * @throws Refusal `not_found` when it is not this person's, or disconnected already.
 */
export async function revokeConnection(by: AgentChange, now: Date): Promise<void> {
  const { clientId, personId } = by;
  await withClientLock(clientId, async (tx) => {
    const ended = await revokeClients(tx, { AND: [{ id: clientId }, ownAgents(personId)] }, now);
    if (ended.length === 0) throw approvalNotFound();
    // A replacement of the client would take its sites along: there must be none left.
    await tx.clientSite.deleteMany({ where: { clientId } });
    await note(tx, by, now, { operation: "agents.revoke", detail: {} });
  });
}

/**
 * Ends all agents of a person with their tokens, what they have asked, and what the person has approved for any agent and
 * is not done yet. The transaction has locked the person's row.
 */
export async function disconnectAll(tx: Db, by: { personId: number; requestId: string }, now: Date): Promise<void> {
  const ended = await revokeClients(tx, ownAgents(by.personId), now);
  await supersedeApprovals(tx, { approverId: by.personId, status: "approved" });
  await tx.clientSite.deleteMany({ where: { clientId: { in: ended.map(({ id }) => id) } } });
  await writeAudit(
    tx,
    ...ended.map(({ id }) => ({ at: now, ...by, clientId: id, operation: "agents.revoke", detail: {} })),
  );
}

/**
 * Leaves an agent of one's own only these scopes and sites, all of which it has now.
 *
 * @throws Refusal `not_found` when it is not this person's, `invalid_input` at scopes and `site_not_granted` for what it
 *   does not have: more is given by connecting it anew, never here.
 */
export async function narrowConnection(
  by: AgentChange,
  kept: { scopes: readonly Scope[]; siteIds: readonly number[] },
  operations: readonly AnyOperation[],
  now: Date,
): Promise<void> {
  const { clientId, personId } = by;
  const scopes = [...new Set(kept.scopes)];
  const siteIds = [...new Set(kept.siteIds)];
  await withClientLock(clientId, async (tx) => {
    const mine = { AND: [{ id: clientId, revokedAt: null }, ownAgents(personId)] } satisfies Prisma.ClientWhereInput;
    const { count } = await tx.client.updateMany({
      where: { AND: [mine, { grantedScopes: { hasEvery: scopes } }] },
      data: { grantedScopes: scopes },
    });
    if (count === 0) {
      if ((await tx.client.count({ where: mine })) === 0) throw approvalNotFound();
      throw invalidInput([
        { path: "scopes", message: "may only hold what the agent has; connect it anew to give more" },
      ]);
    }
    const known = siteIds.filter((siteId) => siteId <= LARGEST_ID);
    if ((await tx.clientSite.count({ where: { clientId, siteId: { in: known } } })) < siteIds.length) {
      throw new Refusal(
        "site_not_granted",
        "site_ids may only hold sites the agent has; connect it anew to give more.",
      );
    }
    const lost = operations.filter((op) => !scopes.includes(op.scope)).map((op) => op.id);
    const past = { OR: [{ siteId: { not: null, notIn: siteIds } }, { operation: { in: lost } }] };
    await supersedeApprovals(tx, { clientId, ...past });
    await tx.clientSite.deleteMany({ where: { clientId, siteId: { notIn: siteIds } } });
    await note(tx, by, now, { operation: "agents.narrow", detail: { scopes, site_ids: siteIds } });
  });
}

/**
 * Takes somebody's agent off one site. Only an owner of that site may; the agent keeps what it has elsewhere.
 *
 * @throws Refusal `not_found` when the site is not this person's to rule, or the agent is not on it.
 */
export async function removeFromSite(by: AgentChange, siteId: number, now: Date): Promise<void> {
  const { clientId, personId } = by;
  const notThere = new Refusal("not_found", "There is no such agent on a site that you own.");
  if (siteId > LARGEST_ID) throw notThere;
  await withClientLock(clientId, async (tx) => {
    await supersedeApprovals(tx, { clientId, siteId });
    const { count } = await tx.clientSite.deleteMany({
      where: { clientId, siteId, site: { memberships: { some: { personId, role: "owner" } } } },
    });
    if (count === 0) throw notThere;
    await emailAgentRemoved(tx, { clientId, siteId, byId: personId }, now);
    await note(tx, by, now, { operation: "agents.remove_from_site", siteId, detail: {} });
  });
}

async function note(
  tx: Db,
  { personId, clientId, requestId }: AgentChange,
  at: Date,
  what: { operation: string; siteId?: number; detail: Prisma.InputJsonObject },
): Promise<void> {
  await writeAudit(tx, { at, personId, clientId, requestId, ...what });
}
