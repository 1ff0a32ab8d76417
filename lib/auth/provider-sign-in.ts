import { domainToASCII } from "node:url";
import { lockSignupsExclusive, lockSignupsShared } from "@/lib/auth/administrators";
import { insertPerson } from "@/lib/auth/create-person";
import { emailAddress } from "@/lib/auth/email";
import type { Identity, Journey, NewIdentity } from "@/lib/auth/journey";
import { emailPerson, providerLinked, providerUnlinked } from "@/lib/auth/notices";
import type { Claims } from "@/lib/auth/oidc";
import { hasSecondFactor, readWays, requireWayToSignIn } from "@/lib/auth/person-ways";
import { provenByProvider } from "@/lib/auth/reauth";
import { endSessions, lockSession } from "@/lib/auth/session-row";
import { needsSetup } from "@/lib/auth/setup";
import { type ProviderSettings, providerSettings } from "@/lib/auth/ways";
import type { Owner } from "@/lib/contract/define";
import { nameText } from "@/lib/contract/fields";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { hexDigest } from "@/lib/platform/secrets";
import { currentLanguage } from "@/lib/texts/translate";

/** Whom a verified ID token signs in: the account of its identity, or of its verified address, or a new one. */

/** Why a provider's answer signs nobody in; the sign-in page says what to do. */
export const SIGN_IN_REFUSALS = [
  "cancelled",
  "failed",
  "no_address",
  "unverified",
  "domain",
  "unconfirmed",
  "other_identity",
  "closed",
  "setup",
  "disabled",
] as const;
export type ProviderRefusal = (typeof SIGN_IN_REFUSALS)[number];

/** The person that the provider has named. */
interface Named {
  personId: number;
  email: string;
  identity: Identity;
  /** What is linked to them once they have given their second factor. */
  toLink?: NewIdentity;
}

/** How much the clocks of the provider and of this server may differ. */
const CLOCK_MS = 30_000;

/**
 * Returns the person that the provider has named, and links or creates their account. An account with a second factor is
 * linked only after it: `linkIdentity`.
 *
 * @param claims of a verified ID token.
 * @param isSetup whether it may create the first account.
 */
export async function personOfClaims(
  claims: Claims,
  settings: ProviderSettings,
  isSetup: boolean,
  now: Date,
): Promise<Named | ProviderRefusal> {
  const address = verifiedAddress(claims, settings);
  const identity = { issuer: settings.issuer, subject: claims.sub };
  const known = await db().providerAccount.findUnique({
    where: { issuer_subject: identity },
    select: { person: { select: { id: true, email: true } } },
  });
  // The subject alone identifies a known person, except where the operator wants to see an address of theirs.
  if (known && (address.email !== null || settings.domains.length === 0)) {
    const data = { lastUsedAt: now, ...(address.email !== null && { email: address.email }) };
    await db().providerAccount.update({ where: { issuer_subject: identity }, data });
    return { personId: known.person.id, email: known.person.email, identity };
  }
  if (address.email === null) return address.refusal;
  const { email } = address;
  return db().$transaction(async (tx) => {
    const person = await findOrCreate(tx, email, { name: claims.name, isSetup }, now);
    if (typeof person === "string") return person;
    if (!person.isConfirmed) return "unconfirmed";
    // Whoever had the address before must not lose the account to whom the provider has given it now.
    const { id: personId } = person;
    if ((await tx.providerAccount.count({ where: { personId, issuer: settings.issuer } })) > 0) return "other_identity";
    const toLink = { ...identity, email };
    if (hasSecondFactor(await readWays(tx, personId))) return { personId, email, identity, toLink };
    await insertIdentity(tx, personId, toLink, now);
    if (!person.isNew) await emailPerson(tx, personId, providerLinked(settings.name, email), now);
    return { personId, email, identity };
  });
}

const insertIdentity = (tx: Db, personId: number, identity: NewIdentity, now: Date) =>
  tx.providerAccount.createMany({
    data: { ...identity, personId, createdAt: now, lastUsedAt: now },
    // Another request of the same person may have linked it just now.
    skipDuplicates: true,
  });

/** Links the identity of a person who has just given their second factor. */
export async function linkIdentity(personId: number, identity: NewIdentity, now: Date): Promise<void> {
  await db().$transaction(async (tx) => {
    const { count } = await insertIdentity(tx, personId, identity, now);
    if (count > 0) await emailPerson(tx, personId, providerLinked(providerSettings()?.name ?? "", identity.email), now);
  });
}

/** Returns the address of the claims if the provider has verified it, and its domain may sign in. */
function verifiedAddress(
  { email: named, email_verified: isVerified }: Claims,
  { domains }: ProviderSettings,
): { email: string } | { email: null; refusal: ProviderRefusal } {
  const { success, data: email } = emailAddress.safeParse(named);
  if (!success) return { email: null, refusal: "no_address" };
  // Nothing but true: a text such as "false" is true for JavaScript.
  if (isVerified !== true) return { email: null, refusal: "unverified" };
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const isAllowed = domains.length === 0 || domains.includes(domainToASCII(domain));
  return isAllowed ? { email } : { email: null, refusal: "domain" };
}

async function findOrCreate(
  tx: Db,
  email: string,
  { name, isSetup }: { name: unknown; isSetup: boolean },
  now: Date,
): Promise<{ id: number; isConfirmed: boolean; isNew: boolean } | ProviderRefusal> {
  // Only one of several parallel requests may create the first account.
  await (isSetup ? lockSignupsExclusive(tx) : lockSignupsShared(tx));
  const person = await tx.person.findUnique({ where: { email }, select: { id: true, confirmedAt: true } });
  if (person) return { id: person.id, isConfirmed: person.confirmedAt !== null, isNew: false };
  if (await needsSetup(tx)) {
    if (!isSetup) return "setup";
  } else if (!(await maySignUp(tx, email, now))) return "closed";
  const legible = nameText(100).safeParse(name).data || null;
  return {
    id: await insertPerson(tx, { email, passwordHash: null, name: legible, language: currentLanguage() }, now),
    isConfirmed: true,
    isNew: true,
  };
}

/** The provider has verified the address, so an invitation of it needs no link. */
async function maySignUp(tx: Db, email: string, now: Date): Promise<boolean> {
  const { SIGNUP } = env();
  if (SIGNUP !== "invite") return SIGNUP === "open";
  return (await tx.invitation.count({ where: { email, expiresAt: { gt: now } } })) > 0;
}

/**
 * Notes that the person of a session has just proven themselves again at the provider.
 *
 * @param journey on which they were sent there.
 * @returns `no` when the provider has named somebody else or did not ask again, `unsaid` when it does not say when it asked.
 */
export async function proveByClaims(
  { sub, auth_time: authTime }: Claims,
  { issuer }: ProviderSettings,
  { session, at }: Journey,
  owner: Owner | null,
  now: Date,
): Promise<"yes" | "no" | "unsaid"> {
  if (!owner || session !== hexDigest(owner.sid)) return "no";
  if (authTime === undefined) return "unsaid";
  if (typeof authTime !== "number" || authTime * 1000 < at - CLOCK_MS) return "no";
  const mine = { issuer, subject: sub, personId: owner.personId };
  if ((await db().providerAccount.updateMany({ where: mine, data: { lastUsedAt: now } })).count === 0) return "no";
  await provenByProvider(owner.sid, now);
  return "yes";
}

/** When the person of these claims proved themselves, as the provider says; now if it does not say. */
export const provenAt = ({ auth_time: authTime }: Claims, now: Date): Date =>
  typeof authTime === "number" ? new Date(Math.min(now.getTime(), authTime * 1000)) : now;

/** A person's identity at the configured provider, on the account page. */
export interface LinkedIdentity {
  email: string | null;
  createdAt: Date;
  lastUsedAt: Date;
}

/** Returns a person's identity at the configured provider; null without one. */
export async function linkedIdentity(personId: number): Promise<LinkedIdentity | null> {
  const { issuer } = providerSettings() ?? { issuer: "" };
  return db().providerAccount.findUnique({
    where: { personId_issuer: { personId, issuer } },
    select: { email: true, createdAt: true, lastUsedAt: true },
  });
}

/**
 * Unlinks a person's identity at the configured provider, and revokes all other sessions.
 *
 * @throws Refusal `not_found` without one, `role_denied` when it is the last way to sign in.
 */
export async function unlinkProvider(owner: Owner, now: Date): Promise<void> {
  const { personId, sid } = owner;
  const { issuer, name } = providerSettings() ?? { issuer: "", name: "" };
  await db().$transaction(async (tx) => {
    await lockSession(tx, owner, now);
    const { count } = await tx.providerAccount.deleteMany({ where: { personId, issuer } });
    if (count === 0) throw new Refusal("not_found", "This identity was unlinked already.");
    await requireWayToSignIn(tx, personId);
    await endSessions(tx, personId, now, sid);
    await emailPerson(tx, personId, providerUnlinked(name), now);
  });
}
