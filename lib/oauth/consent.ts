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
import { legibleHost } from "@/lib/platform/legible-host";
import { lockRow } from "@/lib/platform/lock-row";
import { plainText } from "@/lib/platform/text";

/** Maximum age of the sign-in when consent is given. */
const CONSENT_FRESH_MS = 10 * 60_000;

/** What a person sees before they decide. The agent's name and IP address are unverified. */
export interface ConsentRequest extends Record<string, unknown> {
  /** Identifies the request for `decideConsent`. */
  question: string;
  client: { client_id: string; name: string; created_at: string; kind: "machine" | "delegated" };
  /** Whether the client already acts for this person. */
  connected: boolean;
  asked_from: string | null;
  asked_at: string;
  expires_at: string;
  scopes: Scope[];
  /** What the person has granted the client before. */
  granted_scopes: Scope[];
  /** The person's current sites. */
  sites: { site_id: number; domain: string; name: string | null; role: Role; granted: boolean }[];
  /** Per scope, the titles of the changes that need approval each time, and of those that the agent makes without. */
  waits_for_approval: Partial<Record<Scope, string[]>>;
  made_without_asking: Partial<Record<Scope, string[]>>;
  /** Whether approving requires the password first. */
  needs_fresh: boolean;
}

type DeviceRow = Prisma.DeviceCodeGetPayload<{ include: { client: true } }>;

/**
 * The same error for an unknown, used, denied or expired code, or another person's, so that it does not reveal which.
 */
export const unknownCode = (): Refusal =>
  new Refusal("not_found", "This code is unknown or has expired. Check it, or have your agent request a new one.");

const connectedToAnother = () =>
  new Refusal("role_denied", "This agent is already connected to another person. Only they can grant it more access.");

const titlesToApprove = (operations: readonly AnyOperation[], scope: Scope): string[] =>
  operations.filter((op) => op.scope === scope && needsApproval(op)).map(({ title }) => title);

/** Deletions first: people look for them. */
function titlesWithoutAsking(operations: readonly AnyOperation[], scope: Scope): string[] {
  const made = operations.filter((op) => op.scope === scope && op.risk !== "none" && !needsApproval(op));
  const isDeletion = ({ id }: AnyOperation) => id.endsWith(".delete");
  return [...made.filter(isDeletion), ...made.filter((op) => !isDeletion(op))].map(({ title }) => title);
}

/** Returns a pending consent request as shown to the person who opened it. */
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
    granted_scopes: client.ownerId === owner.personId ? knownScopes(client.grantedScopes) : [],
    sites: memberships.map(({ site, role }) => ({
      site_id: site.id,
      domain: legibleHost(site.domains[0]?.host ?? ""),
      name: site.name && plainText(site.name),
      role,
      granted: site.clients.length > 0,
    })),
    waits_for_approval: Object.fromEntries(scopes.map((scope) => [scope, titlesToApprove(operations, scope)])),
    made_without_asking: Object.fromEntries(scopes.map((scope) => [scope, titlesWithoutAsking(operations, scope)])),
    needs_fresh: now.getTime() - owner.signedInAt.getTime() > CONSENT_FRESH_MS,
  };
}

/** @throws Refusal `role_denied` when the client acts for another person, `not_found` when it is revoked. */
export function requireConnectable(client: DeviceRow["client"], personId: number): void {
  if (client.revokedAt !== null) throw unknownCode();
  if (client.ownerId !== null && client.ownerId !== personId) throw connectedToAnother();
}

export interface Decision {
  question: string;
  decision: "approve" | "deny";
  scopes: Scope[];
  siteIds: number[];
}

/**
 * Records a person's decision on a consent request they opened. The first decision wins; later calls return it too.
 * Approving grants the client exactly these scopes and sites and replaces its previous grant.
 *
 * @returns the decision in effect.
 * @throws Refusal `not_found`, `invalid_input` at `scopes` or `site_ids`, `site_not_granted` for a site they are not a
 *   member of, `reauthentication_required`, `role_denied` when the client acts for another person.
 */
export async function decideConsent(
  given: Decision,
  by: { owner: Owner; requestId: string },
  now: Date,
): Promise<Decision["decision"]> {
  const chosen = withoutDuplicates(given);
  const userCodeHash = new Uint8Array(Buffer.from(given.question, "base64url"));
  const device = await db().deviceCode.findUnique({ where: { userCodeHash, personId: by.owner.personId } });
  if (!device) throw unknownCode();
  return withClientLock(device.clientId, async (tx) => {
    await lockRow(tx, "device_code", device.hash);
    const row = await tx.deviceCode.findUniqueOrThrow({ where: { hash: device.hash }, include: { client: true } });
    if (row.status !== "pending") return row.status === "denied" ? "deny" : "approve";
    if (row.expiresAt <= now) throw unknownCode();
    if (chosen.decision === "approve") await grantConsent(tx, row, chosen, by.owner, now);
    await recordDecision(tx, row, chosen, by, now);
    return chosen.decision;
  });
}

/** Removes duplicate scopes and sites; sorts scopes in vocabulary order. */
const withoutDuplicates = (given: Decision): Decision => ({
  ...given,
  scopes: (Object.keys(SCOPES) as Scope[]).filter((scope) => given.scopes.includes(scope)),
  siteIds: [...new Set(given.siteIds)],
});

/** Assigns the client to the person with these scopes and sites. */
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
  if (count === 0) throw connectedToAnother();
  await tx.clientSite.deleteMany({ where: { clientId: row.clientId } });
  await tx.clientSite.createMany({
    data: siteIds.map((siteId) => ({ clientId: row.clientId, siteId, createdAt: now })),
  });
  await emailConsentGiven(tx, { personId, clientName: row.client.name, scopes: given.scopes, siteIds }, now);
}

function requireChoice(row: DeviceRow, { scopes, siteIds }: Decision): void {
  if (scopes.length === 0)
    throw invalidInput([{ path: "scopes", message: "choose at least one, or deny the request" }]);
  if (!scopes.every((scope) => row.scopes.includes(scope))) {
    throw invalidInput([{ path: "scopes", message: "must be among the scopes that the agent requested" }]);
  }
  if (siteIds.length === 0 && !mayHaveNoSites(scopes)) {
    throw invalidInput([{ path: "site_ids", message: "needs at least one site for what you allow" }]);
  }
}

async function requireMemberships(tx: Db, siteIds: number[], personId: number): Promise<void> {
  const known = siteIds.filter((id) => id <= LARGEST_ID);
  // Locked before the check, so that no site is deleted and no member leaves in between.
  await lockSitesShared(tx, known);
  const memberships = await tx.membership.findMany({ where: { personId, siteId: { in: known } } });
  const notMember = siteIds.find((id) => !memberships.some(({ siteId }) => siteId === id));
  if (notMember !== undefined) throw siteNotGranted(notMember);
}

async function recordDecision(
  tx: Db,
  row: DeviceRow,
  { decision, scopes, siteIds }: Decision,
  { owner, requestId }: { owner: Owner; requestId: string },
  now: Date,
): Promise<void> {
  const approved = decision === "approve";
  await tx.deviceCode.updateMany({
    where: { hash: row.hash, status: "pending" },
    data: { status: approved ? "approved" : "denied", consentedScopes: approved ? scopes : [], decidedAt: now },
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
