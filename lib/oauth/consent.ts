import { emailConsentGiven } from "@/lib/auth/notices";
import { requireFresh } from "@/lib/auth/reauth";
import { lockSession } from "@/lib/auth/session-row";
import { mayHaveNoSites, type Role, SCOPES, type Scope } from "@/lib/contract/access";
import type { AnyOperation, ClientKind, Owner } from "@/lib/contract/define";
import { needsApproval } from "@/lib/contract/define";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { lockSitesShared } from "@/lib/gateway/changes/lock-site";
import { LARGEST_ID, siteNotGranted } from "@/lib/gateway/changes/site-revision";
import { knownScopes } from "@/lib/oauth/request-parameters";
import type { Client } from "@/lib/oauth/tokens";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { legibleHost } from "@/lib/platform/legible-host";
import { lockRow } from "@/lib/platform/lock-row";
import { plainText } from "@/lib/platform/text";

/** Maximum age of the sign-in when consent is given. */
const CONSENT_FRESH_MS = 10 * 60_000;

/** What a client asks of a person, by a device code or by an authorization request. */
export interface Question {
  /** Identifies the request for the decision. */
  id: string;
  /** The client that is connected already, or is once the person approves; null while it does not exist. */
  client: Client | null;
  shown: { client_id: string; name: string };
  scopes: Scope[];
  /** What the client has and keeps: of these the person is not asked again. */
  kept: Scope[];
  /** What the person may add although it is not requested. */
  more: Scope[];
  askedFrom: string | null;
  askedAt: Date;
  expiresAt: Date | null;
  /** Of an authorization request: the host of the assistant's description, and who receives the answer. */
  assistant: { host: string | null; answers: string } | null;
}

/** What a person chooses from, and what each scope allows. */
export interface AccessOptions {
  scopes: Scope[];
  /** The person's current sites. */
  sites: { site_id: number; domain: string; name: string | null; role: Role; granted: boolean }[];
  /** Per scope, the titles of the changes that need approval each time, and of those that the agent makes without. */
  waits_for_approval: Partial<Record<Scope, string[]>>;
  made_without_asking: Partial<Record<Scope, string[]>>;
}

/** What a person sees before they decide. The agent's name and IP address are unverified. */
export interface ConsentRequest extends AccessOptions, Record<string, unknown> {
  question: string;
  client: { client_id: string; name: string; created_at: string; kind: ClientKind };
  /** Whether the client already acts for this person. */
  connected: boolean;
  asked_from: string | null;
  asked_at: string;
  /** Null when the request stays as long as its page. */
  expires_at: string | null;
  assistant: Question["assistant"];
  /** What the person has granted the client before. */
  granted_scopes: Scope[];
  /** Of these, what is requested again, and stays whatever the person chooses. */
  kept_scopes: Scope[];
  /** What the person may add although it is not requested: not every agent can ask for more later. */
  more_scopes: Scope[];
  /** Whether approving requires the password first. */
  needs_fresh: boolean;
}

type DeviceRow = Prisma.DeviceCodeGetPayload<{ include: { client: true } }>;

/** The scopes that a device code asks for. A machine keeps what it has; a delegated client is asked about again. */
function askedBy({ client, scopes }: Pick<DeviceRow, "client" | "scopes">): Pick<Question, "scopes" | "kept" | "more"> {
  const kept = client.kind === "machine" ? knownScopes(client.grantedScopes) : [];
  return { scopes: knownScopes(scopes).filter((scope) => !kept.includes(scope)), kept, more: [] };
}

/** Returns the question of a device code. */
export const questionOfDevice = (row: DeviceRow): Question => ({
  id: Buffer.from(row.userCodeHash).toString("base64url"),
  client: row.client,
  shown: { client_id: row.client.id, name: row.client.name },
  ...askedBy(row),
  askedFrom: row.askedFrom,
  askedAt: row.createdAt,
  expiresAt: row.expiresAt,
  assistant: null,
});

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

/** Returns what a person can grant of these scopes. @param clientId the client that may have some of their sites already. */
export async function accessOptions(
  scopes: Scope[],
  personId: number,
  operations: readonly AnyOperation[],
  clientId = "",
): Promise<AccessOptions> {
  const memberships = await db().membership.findMany({
    where: { personId },
    orderBy: { siteId: "asc" },
    include: { site: { include: { domains: { where: { isPrimary: true } }, clients: { where: { clientId } } } } },
  });
  return {
    scopes,
    sites: memberships.map(({ site, role }) => ({
      site_id: site.id,
      domain: legibleHost(site.domains[0]?.host ?? ""),
      name: site.name && plainText(site.name),
      role,
      granted: site.clients.length > 0,
    })),
    waits_for_approval: Object.fromEntries(scopes.map((scope) => [scope, titlesToApprove(operations, scope)])),
    made_without_asking: Object.fromEntries(scopes.map((scope) => [scope, titlesWithoutAsking(operations, scope)])),
  };
}

/** Returns a request as shown to the person who opened it. */
export async function describeConsent(
  { client, scopes, kept, more, ...question }: Question,
  owner: Owner,
  operations: readonly AnyOperation[],
  now: Date,
): Promise<ConsentRequest> {
  const connected = client?.ownerId === owner.personId;
  return {
    ...(await accessOptions([...scopes, ...more], owner.personId, operations, client?.id)),
    scopes,
    question: question.id,
    client: {
      client_id: question.shown.client_id,
      name: plainText(question.shown.name),
      created_at: (client?.createdAt ?? now).toISOString(),
      kind: client?.kind ?? "delegated",
    },
    connected,
    asked_from: question.askedFrom,
    asked_at: question.askedAt.toISOString(),
    expires_at: question.expiresAt?.toISOString() ?? null,
    assistant: question.assistant,
    granted_scopes: connected ? knownScopes(client.grantedScopes) : [],
    kept_scopes: kept.filter((scope) => !more.includes(scope)),
    more_scopes: more,
    needs_fresh: now.getTime() - owner.signedInAt.getTime() > CONSENT_FRESH_MS,
  };
}

/**
 * Requires that a person may consent to a client: their own, or a delegated one that has nobody yet. A machine gets its
 * person by proof of its domain, never by a consent.
 *
 * @throws Refusal `role_denied` when it acts for another person, `not_found` when it is revoked.
 */
export function requireConnectable({ kind, ownerId, revokedAt }: Client, personId: number): void {
  if (revokedAt !== null) throw unknownCode();
  const isFree = ownerId === null && kind === "delegated";
  if (!isFree && ownerId !== personId) throw connectedToAnother();
}

/** What a person decided, with the chosen scopes and sites. */
export interface Choice {
  decision: "approve" | "deny";
  scopes: Scope[];
  siteIds: number[];
}

/** Who decides, in which request. */
export interface DecidedBy {
  owner: Owner;
  requestId: string;
}

/**
 * Records a person's decision on a device code they opened. The first decision wins; later calls return it too.
 *
 * @returns the decision in effect.
 * @throws Refusal `not_found`, and as `grantConsent` does.
 */
export async function decideConsent(
  given: Choice & { question: string },
  by: DecidedBy,
  now: Date,
): Promise<Choice["decision"]> {
  const userCodeHash = new Uint8Array(Buffer.from(given.question, "base64url"));
  const device = await db().deviceCode.findUnique({ where: { userCodeHash, personId: by.owner.personId } });
  if (!device) throw unknownCode();
  return db().$transaction(async (tx) => {
    await lockSession(tx, by.owner, now);
    await lockRow(tx, "client", device.clientId);
    await lockRow(tx, "device_code", device.hash);
    const row = await tx.deviceCode.findUniqueOrThrow({ where: { hash: device.hash }, include: { client: true } });
    if (row.status !== "pending") return row.status === "denied" ? "deny" : "approve";
    if (row.expiresAt <= now) throw unknownCode();
    const isApproved = given.decision === "approve";
    const consentedScopes = isApproved
      ? await grantConsent(tx, { client: row.client, ...askedBy(row) }, given, by, now)
      : await noteDenial(tx, { clientId: row.clientId }, by, now);
    await tx.deviceCode.updateMany({
      where: { hash: row.hash, status: "pending" },
      data: { status: isApproved ? "approved" : "denied", consentedScopes, decidedAt: now },
    });
    return given.decision;
  });
}

/**
 * Grants a client what a person chose, and what it keeps, on exactly the chosen sites. This replaces its previous grant. The
 * caller's transaction holds the lock on the client.
 *
 * @returns the granted scopes, in vocabulary order.
 * @throws Refusal `invalid_input` at `scopes` or `site_ids`, `site_not_granted` for a site they are not a member of,
 *   `reauthentication_required`, `role_denied` when the client acts for another person.
 */
export async function grantConsent(
  tx: Db,
  { client, scopes: requested, kept, more }: Pick<Question, "scopes" | "kept" | "more"> & { client: Client },
  given: Choice,
  { owner, requestId }: DecidedBy,
  now: Date,
): Promise<Scope[]> {
  const { personId } = owner;
  requireConnectable(client, personId);
  if (!given.scopes.every((scope) => [...requested, ...kept, ...more].includes(scope))) {
    throw invalidInput([{ path: "scopes", message: "must be among the scopes that the agent requested" }]);
  }
  const { scopes, siteIds } = await requireGrantable(tx, [...given.scopes, ...kept], given.siteIds, owner, now);
  const { count } = await tx.client.updateMany({
    where: { id: client.id, revokedAt: null, OR: [{ ownerId: null, kind: "delegated" }, { ownerId: personId }] },
    data: { ownerId: personId, grantedScopes: scopes },
  });
  if (count === 0) throw connectedToAnother();
  await tx.clientSite.deleteMany({ where: { clientId: client.id } });
  await tx.clientSite.createMany({ data: siteIds.map((siteId) => ({ clientId: client.id, siteId, createdAt: now })) });
  await emailConsentGiven(tx, { personId, clientName: client.name, scopes, siteIds }, now);
  const detail = { decision: "approve", scopes, site_ids: siteIds, signed_in_at: owner.signedInAt.toISOString() };
  await writeAudit(tx, { at: now, clientId: client.id, personId, operation: "oauth.consent", requestId, detail });
  return scopes;
}

/**
 * Requires that a person may grant these scopes on these sites now: with a recent sign-in, on sites of which they are a
 * member. Locks the sites against deletion and departure of the person until the transaction ends.
 *
 * @returns the scopes in vocabulary order, and the sites, each once.
 * @throws Refusal `invalid_input` at `scopes` or `site_ids`, `site_not_granted`, `reauthentication_required`.
 */
export async function requireGrantable(
  tx: Db,
  chosen: readonly Scope[],
  chosenSites: readonly number[],
  owner: Owner,
  now: Date,
): Promise<{ scopes: Scope[]; siteIds: number[] }> {
  const scopes = (Object.keys(SCOPES) as Scope[]).filter((scope) => chosen.includes(scope));
  const siteIds = [...new Set(chosenSites)];
  requireChoice(scopes, siteIds);
  await requireMemberships(tx, siteIds, owner.personId);
  requireFresh(owner, CONSENT_FRESH_MS, now);
  return { scopes, siteIds };
}

/**
 * Records that a person denied a request. @param of the client, or the assistant that has none yet. @returns the granted
 * scopes: none.
 */
export async function noteDenial(
  tx: Db,
  { clientId, assistant }: { clientId: string | null; assistant?: string },
  { owner, requestId }: DecidedBy,
  now: Date,
): Promise<Scope[]> {
  const signedInAt = owner.signedInAt.toISOString();
  const detail = { decision: "deny", ...(assistant ? { assistant } : {}), signed_in_at: signedInAt };
  const { personId } = owner;
  await writeAudit(tx, { at: now, clientId, personId, operation: "oauth.consent", requestId, detail });
  return [];
}

function requireChoice(scopes: Scope[], siteIds: number[]): void {
  if (scopes.length === 0) throw invalidInput([{ path: "scopes", message: "needs at least one" }]);
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
