import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { z } from "zod";
import { emailPerson, passkeyAdded, passkeyRemoved } from "@/lib/auth/notices";
import { hasSecondFactor, readWays, requireWayToSignIn } from "@/lib/auth/person-ways";
import { replaceRecoveryCodes } from "@/lib/auth/recovery-codes";
import { endSessions, lockSession } from "@/lib/auth/session-row";
import { passkeyHost, passkeyWorks, waysToSignIn } from "@/lib/auth/ways";
import type { Owner } from "@/lib/contract/define";
import { type Db, db, Prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { hashOf } from "@/lib/platform/secrets";

/** Passkeys (WebAuthn level 3): they always verify their user, so one proves possession and knowledge at once. */

const CHALLENGE_MS = 5 * 60_000;
const MOST_PASSKEYS = 20;

/** What a challenge is for: an answer to one purpose is refused for another. */
type Purpose = "add" | "prove";

const NO_ANSWER = "must be the answer of a passkey, as the browser gives it";
const base64url = z.string("must be text").max(16_384, "must have at most 16384 characters");
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key", NO_ANSWER).meta({ examples: ["public-key"] }),
  clientExtensionResults: z.object({}, NO_ANSWER),
};

/** The answer of a new passkey, as browsers serialise it. */
export const newPasskeyAnswer = z.object(
  {
    ...credential,
    response: z.object(
      {
        clientDataJSON: base64url,
        attestationObject: base64url,
        transports: z.array(z.string(NO_ANSWER).max(20, NO_ANSWER), NO_ANSWER).max(10, NO_ANSWER).optional(),
      },
      NO_ANSWER,
    ),
  },
  NO_ANSWER,
);

/** The answer of a passkey to a challenge, as browsers serialise it. */
export const passkeyAnswer = z.object(
  {
    ...credential,
    response: z.object(
      {
        clientDataJSON: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: base64url.optional(),
      },
      NO_ANSWER,
    ),
  },
  NO_ANSWER,
);
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

/** The server as authenticators know it: the host and the origin of `BASE_URL`. */
const relyingParty = () => ({ id: passkeyHost(), origin: new URL(env().BASE_URL).origin });

/**
 * Returns what the browser passes to the authenticator to prove a person, with a challenge that works once, for five
 * minutes.
 *
 * @param holder the secret of the session or browser that may answer.
 * @param personId whose passkeys may answer; null for any, so that nobody learns who has some.
 */
export async function askForPasskey(holder: string, personId: number | null, now: Date) {
  const all = personId === null ? [] : await db().passkey.findMany({ where: { personId } });
  const known = all.filter((passkey) => passkeyWorks(passkey.rpId));
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    allowCredentials: known.map(({ id, transports }) => ({ id, transports: transports as AuthenticatorTransport[] })),
    userVerification: "required",
    timeout: CHALLENGE_MS,
  });
  await keepChallenge(options.challenge, holder, "prove", now);
  return options;
}

/**
 * Verifies the answer of a passkey, once.
 *
 * @param holder the secret of the session or browser that asked.
 * @param personId whose passkey it must be; null for anybody's.
 * @returns the passkey with its person and their address; null when the answer is refused.
 */
export async function takePasskey(
  answer: PasskeyAnswer,
  holder: string,
  personId: number | null,
  now: Date,
): Promise<{ id: string; personId: number; email: string } | null> {
  const challenge = await takeChallenge(answer.response.clientDataJSON, holder, "prove", now);
  const known = await db().passkey.findUnique({ where: { id: answer.id }, include: { person: true } });
  if (!challenge || !known || (personId !== null && known.personId !== personId)) return null;
  const { id: rpId, origin } = relyingParty();
  const { publicKey, counter } = known;
  const result = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id: known.id, publicKey: new Uint8Array(publicKey), counter: Number(counter) },
    requireUserVerification: true,
  }).catch(refused);
  if (!result?.verified) return null;
  const newCounter = BigInt(result.authenticationInfo.newCounter);
  // The counter may have grown since it was read, by an answer of a copy of the passkey.
  const { count } = await db().passkey.updateMany({
    where: { id: known.id, counter },
    data: { counter: newCounter, lastUsedAt: now, rpId },
  });
  return count === 1 ? { id: known.id, personId: known.personId, email: known.person.email } : null;
}

/** Returns what the browser passes to the authenticator to make a passkey. @throws Refusal `role_denied` beyond 20 */
export async function startPasskey({ personId, email, name, sid }: Owner, now: Date) {
  if (!waysToSignIn().passkeys) {
    throw new Refusal("role_denied", "Passkeys need https and a host name. Ask the operator of this service.");
  }
  const known = await db().passkey.findMany({ where: { personId }, select: { id: true } });
  requireRoom(known.length);
  const { id: rpID } = relyingParty();
  const options = await generateRegistrationOptions({
    rpID,
    rpName: "Footfall",
    userID: new Uint8Array(hashOf(`person ${personId}`)),
    userName: email,
    userDisplayName: name ?? email,
    attestationType: "none",
    excludeCredentials: known,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    timeout: CHALLENGE_MS,
  });
  await keepChallenge(options.challenge, sid, "add", now);
  return options;
}

function requireRoom(count: number): void {
  if (count >= MOST_PASSKEYS) throw new Refusal("role_denied", `An account has at most ${MOST_PASSKEYS} passkeys.`);
}

/**
 * Adds a passkey. The first second factor of an account turns on two-factor authentication and revokes all other
 * sessions.
 *
 * @returns the recovery codes, shown only once; empty when two-factor authentication was on.
 * @throws Refusal `invalid_input` when the answer is refused.
 */
export async function addPasskey(
  owner: Owner,
  { name, answer }: { name: string; answer: z.output<typeof newPasskeyAnswer> },
  now: Date,
): Promise<string[]> {
  const { personId, sid } = owner;
  const challenge = await takeChallenge(answer.response.clientDataJSON, sid, "add", now);
  const { id: rpId, origin } = relyingParty();
  const result = await verifyRegistrationResponse({
    response: { ...answer, response: { ...answer.response, transports: [] } },
    expectedChallenge: (signed) => signed === challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch(refused);
  if (!result?.verified) throw new Refusal("invalid_input", "The passkey was not accepted. Try again.");
  const { id, publicKey, counter } = result.registrationInfo.credential;
  const transports = answer.response.transports ?? [];
  const data = { id, rpId, personId, name, publicKey: new Uint8Array(publicKey), counter: BigInt(counter), transports };
  return db().$transaction(async (tx) => {
    await lockSession(tx, owner, now);
    const turnedOn = !hasSecondFactor(await readWays(tx, personId));
    requireRoom(await tx.passkey.count({ where: { personId } }));
    await tx.passkey.create({ data: { ...data, createdAt: now } }).catch(refuseDuplicate);
    if (turnedOn) await endSessions(tx, personId, now, sid);
    await emailPerson(tx, personId, passkeyAdded(name, turnedOn), now);
    return turnedOn ? replaceRecoveryCodes(tx, personId) : [];
  });
}

function refuseDuplicate(error: unknown): never {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002")
    throw new Refusal("invalid_input", "This passkey belongs to an account already.");
  throw error;
}

/**
 * Removes a passkey, and revokes all other sessions: somebody else may have signed in with it. With the last second factor,
 * two-factor authentication is off.
 *
 * @throws Refusal `not_found` when it is not theirs, `role_denied` when it is the last way to sign in.
 */
export async function removePasskey(owner: Owner, id: string, now: Date): Promise<void> {
  const { personId, sid } = owner;
  await db().$transaction(async (tx) => {
    await lockSession(tx, owner, now);
    const passkey = await tx.passkey.findFirst({ where: { id, personId } });
    if (!passkey) throw new Refusal("not_found", "This passkey was removed already.");
    await tx.passkey.delete({ where: { id } });
    // One of an earlier host was no way to sign in.
    if (passkeyWorks(passkey.rpId)) await requireWayToSignIn(tx, personId);
    const turnedOff = await endCodesWithoutFactor(tx, personId);
    await endSessions(tx, personId, now, sid);
    await emailPerson(tx, personId, passkeyRemoved(passkey.name, turnedOff), now);
  });
}

/** Deletes the recovery codes of a person without a second factor. @returns whether they have none. */
export async function endCodesWithoutFactor(tx: Db, personId: number): Promise<boolean> {
  if (hasSecondFactor(await readWays(tx, personId))) return false;
  await tx.recoveryCode.deleteMany({ where: { personId } });
  return true;
}

/** A passkey in the list on the account page. */
export interface ListedPasskey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  /** The earlier host that it was made for, on which alone it works; null while it works here. */
  formerHost: string | null;
}

/** Returns a person's passkeys, oldest first. */
export async function listPasskeys(personId: number): Promise<ListedPasskey[]> {
  const rows = await db().passkey.findMany({
    where: { personId },
    select: { id: true, rpId: true, name: true, createdAt: true, lastUsedAt: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map(({ rpId, ...shown }) => ({ ...shown, formerHost: rpId === passkeyHost() ? null : rpId }));
}

async function keepChallenge(challenge: string, holder: string, purpose: Purpose, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
  await db().passkeyChallenge.create({ data: { hash: hashOf(challenge), holder: hashOf(holder), purpose, expiresAt } });
}

/** Uses up the challenge that was signed. @returns it; null when it is unknown, used, expired or of another holder. */
async function takeChallenge(clientData: string, holder: string, purpose: Purpose, now: Date): Promise<string | null> {
  const challenge = challengeIn(clientData);
  const { count } = await db().passkeyChallenge.deleteMany({
    where: { hash: hashOf(challenge), holder: hashOf(holder), purpose, expiresAt: { gt: now } },
  });
  return count === 1 ? challenge : null;
}

function challengeIn(clientData: string): string {
  try {
    return String(JSON.parse(Buffer.from(clientData, "base64url").toString()).challenge);
  } catch (error) {
    refused(error);
    return "";
  }
}

/** For what `@simplewebauthn/server` throws: each of its errors says why an answer is refused. */
function refused(error: unknown): null {
  log.warn(describeError(error), "a passkey was refused");
  return null;
}
