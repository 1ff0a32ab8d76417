import { emailConsentGiven } from "@/lib/auth/notices";
import { requireFresh } from "@/lib/auth/reauth";
import type { AnyOperation, Owner } from "@/lib/contract/define";
import { needsApproval } from "@/lib/contract/define";
import { mayHaveNoSites, type Role, SCOPES, type Scope } from "@/lib/contract/vocabulary";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { lockSitesShared } from "@/lib/gateway/changes/lock-site";
import { LARGEST_ID, siteNotGranted } from "@/lib/gateway/changes/site-revision";
import { knownScopes } from "@/lib/oauth/request-parameters";
import { withClientLock } from "@/lib/oauth/tokens";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";

/** How old a sign-in may be for consent. */
export const CONSENT_FRESH_MS = 10 * 60_000;

/** What a human sees before they decide. Name and address are the agent's own claims and prove nothing. */
export interface ConsentRequest extends Record<string, unknown> {
  /** Names the question for `decideConsent`. */
  question: string;
  client: { client_id: string; name: string; created_at: string; kind: "machine" | "delegated" };
  /** Whether the client acts for this human already. */
  connected: boolean;
  asked_from: string | null;
  asked_at: string;
  expires_at: string;
  scopes: Scope[];
  /** The human's sites of this moment. */
  sites: { site_id: number; domain: string; name: string | null; role: Role; granted: boolean }[];
  /** What of each scope waits for a human's approval each time, as titles of operations. */
  waits_for_approval: Partial<Record<Scope, string[]>>;
  /** Whether a yes will first ask for the password. */
  needs_fresh: boolean;
}

type DeviceRow = Prisma.DeviceCodeGetPayload<{ include: { client: true } }>;

/** One sentence for a code that is unknown, someone else's, used, denied or over: nobody learns which. */
export const unknownCode = (): Refusal =>
  new Refusal("not_found", "This code is not known or has ended; compare it, or let your agent ask for a new one.");

const ofAnother = () =>
  new Refusal("role_denied", "This agent is connected to another person already; only they can agree to more.");

const titlesToApprove = (operations: readonly AnyOperation[], scope: Scope): string[] =>
  operations.filter((op) => op.scope === scope && needsApproval(op)).map(({ title }) => title);

/** What a pending question looks like to the person who has opened it. */
export async function describeConsent(
  row: DeviceRow,
  owner: Owner,
  operations: readonly AnyOperation[],
  now: Date,
): Promise<ConsentRequest> {
  const { client } = row;
  const scopes = knownScopes(row.scopes);
  const memberships = await db().membership.findMany({
    where: { personId: owner.personId },
    orderBy: { siteId: "asc" },
    include: {
      site: { include: { domains: { where: { isPrimary: true } }, clients: { where: { clientId: client.id } } } },
    },
  });
  return {
    question: Buffer.from(row.userCodeHash).toString("base64url"),
    client: {
      client_id: client.id,
      name: plainText(client.name),
      created_at: client.createdAt.toISOString(),
      kind: client.kind,
    },
    connected: client.ownerId === owner.personId,
    asked_from: row.askedFrom,
    asked_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    scopes,
    sites: memberships.map(({ site, role }) => ({
      site_id: site.id,
      domain: site.domains[0]?.host ?? "",
      name: site.name && plainText(site.name),
      role,
      granted: site.clients.length > 0,
    })),
    waits_for_approval: Object.fromEntries(scopes.map((scope) => [scope, titlesToApprove(operations, scope)])),
    needs_fresh: now.getTime() - owner.signedInAt.getTime() > CONSENT_FRESH_MS,
  };
}

/** @throws Refusal `role_denied` when the client acts for someone else already, `not_found` when it is revoked. */
export function requireConnectable(client: DeviceRow["client"], personId: number): void {
  if (client.revokedAt !== null) throw unknownCode();
  if (client.ownerId !== null && client.ownerId !== personId) throw ofAnother();
}

export interface Decision {
  question: string;
  decision: "approve" | "deny";
  scopes: Scope[];
  siteIds: number[];
}

/**
 * A human decides, once, about what they have opened: of two decisions the first one counts, and both learn it. A yes
 * gives the client exactly these scopes and sites; whatever it had before is replaced.
 *
 * @returns what was decided.
 * @throws Refusal `not_found`, `invalid_input` at `scopes` or `site_ids`, `site_not_granted` for a site they do not
 *   belong to, `reauthentication_required`, `role_denied` when the client acts for another person.
 */
export async function decideConsent(
  given: Decision,
  by: { owner: Owner; requestId: string },
  now: Date,
): Promise<Decision["decision"]> {
  const chosen = onceEach(given);
  const userCodeHash = new Uint8Array(Buffer.from(given.question, "base64url"));
  const asked = await db().deviceCode.findUnique({ where: { userCodeHash, personId: by.owner.personId } });
  if (!asked) throw unknownCode();
  return withClientLock(asked.clientId, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM device_code WHERE hash = ${asked.hash} FOR UPDATE`;
    const row = await tx.deviceCode.findUniqueOrThrow({ where: { hash: asked.hash }, include: { client: true } });
    if (row.status !== "pending") return row.status === "denied" ? "deny" : "approve";
    if (row.expiresAt <= now) throw unknownCode();
    if (chosen.decision === "approve") await grantConsent(tx, row, chosen, by.owner, now);
    await settle(tx, row, chosen, by, now);
    return chosen.decision;
  });
}

/** Each scope and site once, the scopes in the vocabulary's order. */
const onceEach = (given: Decision): Decision => ({
  ...given,
  scopes: (Object.keys(SCOPES) as Scope[]).filter((scope) => given.scopes.includes(scope)),
  siteIds: [...new Set(given.siteIds)],
});

/** The client becomes its human's, with these scopes and sites. */
async function grantConsent(tx: Db, row: DeviceRow, given: Decision, owner: Owner, now: Date): Promise<void> {
  const { personId } = owner;
  const { siteIds } = given;
  requireConnectable(row.client, personId);
  requireChoice(row, given);
  await requireMemberships(tx, siteIds, personId);
  requireFresh(owner, CONSENT_FRESH_MS, now);
  const { count } = await tx.client.updateMany({
    where: { id: row.clientId, kind: "delegated", revokedAt: null, OR: [{ ownerId: null }, { ownerId: personId }] },
    data: { ownerId: personId, grantedScopes: given.scopes },
  });
  if (count === 0) throw ofAnother();
  await tx.clientSite.deleteMany({ where: { clientId: row.clientId } });
  await tx.clientSite.createMany({
    data: siteIds.map((siteId) => ({ clientId: row.clientId, siteId, createdAt: now })),
  });
  await emailConsentGiven(tx, { personId, clientName: row.client.name, scopes: given.scopes, siteIds }, now);
}

function requireChoice(row: DeviceRow, { scopes, siteIds }: Decision): void {
  if (scopes.length === 0) throw invalidInput([{ path: "scopes", message: "needs at least one, or deny" }]);
  if (!scopes.every((scope) => row.scopes.includes(scope))) {
    throw invalidInput([{ path: "scopes", message: "may only hold what the agent has asked for" }]);
  }
  if (siteIds.length === 0 && !mayHaveNoSites(scopes)) {
    throw invalidInput([{ path: "site_ids", message: "needs at least one site for what you allow" }]);
  }
}

async function requireMemberships(tx: Db, siteIds: number[], personId: number): Promise<void> {
  const known = siteIds.filter((id) => id <= LARGEST_ID);
  // Held before they are looked at: nobody deletes or leaves one of them in between.
  await lockSitesShared(tx, known);
  const own = await tx.membership.findMany({ where: { personId, siteId: { in: known } } });
  const foreign = siteIds.find((id) => !own.some(({ siteId }) => siteId === id));
  if (foreign !== undefined) throw siteNotGranted(foreign);
}

async function settle(
  tx: Db,
  row: DeviceRow,
  { decision, scopes, siteIds }: Decision,
  { owner, requestId }: { owner: Owner; requestId: string },
  now: Date,
): Promise<void> {
  const approved = decision === "approve";
  await tx.deviceCode.updateMany({
    where: { hash: row.hash, status: "pending" },
    data: { status: approved ? "approved" : "denied", consented: approved ? scopes : [], decidedAt: now },
  });
  await writeAudit(tx, {
    at: now,
    clientId: row.clientId,
    personId: owner.personId,
    operation: "oauth.consent",
    requestId,
    detail: {
      decision,
      ...(approved ? { scopes, site_ids: siteIds } : {}),
      signed_in_at: owner.signedInAt.toISOString(),
    },
  });
}
