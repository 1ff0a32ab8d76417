import type { Scope } from "@/lib/contract/access";
import type { AnyOperation } from "@/lib/contract/define";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import { supersedeApprovals } from "@/lib/gateway/changes/supersede-approvals";
import { ownAgents } from "@/lib/oauth/connections";
import { emailAgentRemoved } from "@/lib/oauth/notices";
import { revokeClients } from "@/lib/oauth/revoke-clients";
import { withClientLock } from "@/lib/oauth/tokens";
import type { Db, Prisma } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";

/** Ways for a person to reduce an agent's access. Each takes effect at the agent's next call. */

/** Who changes which agent, in which request. */
export interface AgentChange {
  personId: number;
  clientId: string;
  requestId: string;
}

const agentNotFound = () => new Refusal("not_found", "This agent is not connected to your account.");

/**
 * Disconnects one of the person's agents: revokes its client, tokens, pending approvals and site grants. This cannot be
 * undone; the agent has to be connected again.
 *
 * @throws Refusal `not_found` when it is not this person's agent or is already disconnected.
 */
export async function revokeConnection(by: AgentChange, now: Date): Promise<void> {
  const { clientId, personId } = by;
  await withClientLock(clientId, async (tx) => {
    const revoked = await revokeClients(tx, { AND: [{ id: clientId }, ownAgents(personId)] }, now);
    if (revoked.length === 0) throw agentNotFound();
    // Account recovery copies the client's site grants, so none may remain.
    await tx.clientSite.deleteMany({ where: { clientId } });
    await audit(tx, by, now, { operation: "agents.revoke", detail: {} });
  });
}

/**
 * Disconnects all agents of a person, and invalidates unused approvals that the person gave to any agent. The caller's
 * transaction must hold the lock on the person's row.
 */
export async function disconnectAll(tx: Db, by: { personId: number; requestId: string }, now: Date): Promise<void> {
  const revoked = await revokeClients(tx, ownAgents(by.personId), now);
  await supersedeApprovals(tx, { approverId: by.personId, status: "approved" });
  await tx.clientSite.deleteMany({ where: { clientId: { in: revoked.map(({ id }) => id) } } });
  await writeAudit(
    tx,
    ...revoked.map(({ id }) => ({ at: now, ...by, clientId: id, operation: "agents.revoke", detail: {} })),
  );
}

/**
 * Reduces an agent's access to these scopes and sites, a subset of its current ones. Access is only extended by a new
 * consent.
 *
 * @throws Refusal `not_found` when it is not this person's agent, `invalid_input` at `scopes` or `site_not_granted` for
 *   a scope or site that it does not have.
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
    const ownAgent = {
      AND: [{ id: clientId, revokedAt: null }, ownAgents(personId)],
    } satisfies Prisma.ClientWhereInput;
    const { count } = await tx.client.updateMany({
      where: { AND: [ownAgent, { grantedScopes: { hasEvery: scopes } }] },
      data: { grantedScopes: scopes },
    });
    if (count === 0) {
      if ((await tx.client.count({ where: ownAgent })) === 0) throw agentNotFound();
      throw invalidInput([
        { path: "scopes", message: "must be scopes that the agent has; connect it again to grant more" },
      ]);
    }
    const known = siteIds.filter((siteId) => siteId <= LARGEST_ID);
    if ((await tx.clientSite.count({ where: { clientId, siteId: { in: known } } })) < siteIds.length) {
      throw new Refusal(
        "site_not_granted",
        "site_ids must be sites that the agent has. Connect it again to grant more.",
      );
    }
    const lost = operations.filter((op) => !scopes.includes(op.scope)).map((op) => op.id);
    const outOfReach = { OR: [{ siteId: { not: null, notIn: siteIds } }, { operation: { in: lost } }] };
    await supersedeApprovals(tx, { clientId, ...outOfReach });
    await tx.clientSite.deleteMany({ where: { clientId, siteId: { notIn: siteIds } } });
    await audit(tx, by, now, { operation: "agents.narrow", detail: { scopes, site_ids: siteIds } });
  });
}

/**
 * Removes any agent from one site. Only owners of the site may do this; the agent keeps its other sites.
 *
 * @throws Refusal `not_found` when the person does not own the site, or the agent has no access to it.
 */
export async function removeFromSite(by: AgentChange, siteId: number, now: Date): Promise<void> {
  const { clientId, personId } = by;
  const notOnSite = new Refusal("not_found", "This agent has no access to a site that you own.");
  if (siteId > LARGEST_ID) throw notOnSite;
  await withClientLock(clientId, async (tx) => {
    await supersedeApprovals(tx, { clientId, siteId });
    const { count } = await tx.clientSite.deleteMany({
      where: { clientId, siteId, site: { memberships: { some: { personId, role: "owner" } } } },
    });
    if (count === 0) throw notOnSite;
    await emailAgentRemoved(tx, { clientId, siteId, byId: personId }, now);
    await audit(tx, by, now, { operation: "agents.remove_from_site", siteId, detail: {} });
  });
}

async function audit(
  tx: Db,
  { personId, clientId, requestId }: AgentChange,
  at: Date,
  change: { operation: string; siteId?: number; detail: Prisma.InputJsonObject },
): Promise<void> {
  await writeAudit(tx, { at, personId, clientId, requestId, ...change });
}
