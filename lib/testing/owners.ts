import { randomUUID } from "node:crypto";
import { act } from "@/lib/api/actions";
import { insertPerson } from "@/lib/auth/create-person";
import { csrfToken } from "@/lib/auth/reauth";
import { ownerOfSession, sidHashOf } from "@/lib/auth/session-row";
import { signIn } from "@/lib/auth/sign-in";
import { stepOfCode, totpCode, totpSeedPlace, totpStep } from "@/lib/auth/two-factor";
import { confirmSecondFactor, startSecondFactor } from "@/lib/auth/two-factor-setup";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { unseal } from "@/lib/platform/secrets";
import { PASSWORD, PASSWORD_HASH } from "@/lib/testing/password";

/** Signs people in, and calls operations like our pages. */

/** Creates a person with the password `PASSWORD`. */
export async function newPerson(now: Date): Promise<{ email: string; personId: number }> {
  const email = `${randomUUID()}@example.com`;
  return { email, personId: await insertPerson(db(), { email, passwordHash: PASSWORD_HASH }, now) };
}

/** Creates a person and signs them in. */
export async function newOwner(now: Date): Promise<Owner> {
  const { email } = await newPerson(now);
  return ownerAgain(email, now);
}

/** Signs the same person in with another browser. */
export async function ownerAgain(email: string, now: Date, code?: string): Promise<Owner> {
  const answer = await signIn({ email, password: PASSWORD, code, address: randomUUID() }, now);
  const owner = answer && (await ownerOfSession(answer.sid, now));
  if (!owner) throw new Error("The right password was refused");
  return owner;
}

/** Returns a new session of a person who signed in at this time, with a password alone. */
export async function signedIn(personId: number, signedInAt: Date): Promise<Owner> {
  const sid = await openTestSession(personId, signedInAt);
  return {
    personId,
    email: "someone@example.com",
    name: null,
    sid,
    signedInAt,
    secondFactor: false,
    ways: { password: true, provider: false, passkey: false, formerPasskey: false, app: false },
    confirmed: true,
    administrator: false,
  };
}

async function openTestSession(personId: number, at: Date): Promise<string> {
  const sid = randomUUID();
  const times = { createdAt: at, lastSeenAt: at, authTime: at, expiresAt: new Date(at.getTime() + 30 * DAY_MS) };
  await db().ownerSession.create({ data: { sidHash: sidHashOf(sid), personId, ...times } });
  return sid;
}

/** Returns the current TOTP code of a person. */
export const codeOf = async (personId: number, at: Date): Promise<string> =>
  totpCode(await seedOf(personId), totpStep(at));

/** Returns six digits that are not a TOTP code of a person now, whatever their random seed. */
export async function wrongCodeOf(personId: number, at: Date): Promise<string> {
  for (let digits = 0; ; digits++) {
    const code = `${digits}`.padStart(6, "0");
    if (!(await isCodeOf(personId, code, at))) return code;
  }
}

/** Returns whether six digits are a TOTP code of a person now, or of the step before or after. */
export const isCodeOf = async (personId: number, code: string, at: Date): Promise<boolean> =>
  stepOfCode(await seedOf(personId), code, at) !== null;

async function seedOf(personId: number): Promise<Uint8Array> {
  const { totpSeed } = await db().person.findUniqueOrThrow({ where: { id: personId } });
  return unseal(totpSeed ?? new Uint8Array(), totpSeedPlace(personId));
}

/** Enables two-factor authentication. @returns the updated owner, and their recovery codes. */
export async function withSecondFactor(owner: Owner, now: Date): Promise<{ owner: Owner; codes: string[] }> {
  await startSecondFactor(owner);
  const codes = await confirmSecondFactor(owner, await codeOf(owner.personId, now), now);
  return { owner: { ...owner, secondFactor: true }, codes };
}

/** Calls an operation like one of our pages. @param owner null for a visitor without a session. */
export async function doAction(owner: Owner | null, id: string, input: object, now: Date) {
  const headers: Record<string, string> = {
    origin: new URL(env().BASE_URL).origin,
    "content-type": "application/json",
    "x-csrf-token": owner ? csrfToken(owner.sid) : "none",
  };
  const request = {
    header: (name: string) => headers[name] ?? null,
    bytes: async () => Buffer.from(JSON.stringify(input)),
  };
  const answer = await act(request, id, owner && (await ownerOfSession(owner.sid, now)), now);
  return { status: answer.status, body: JSON.parse(answer.body) };
}
