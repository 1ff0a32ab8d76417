import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { type PasskeyAnswer, passkeyAnswer, takePasskey } from "@/lib/auth/passkeys";
import { checkPassword } from "@/lib/auth/password";
import { codeKindOf, wrongCode } from "@/lib/auth/person-ways";
import { sidHashOf } from "@/lib/auth/session-row";
import { takeSecondFactor } from "@/lib/auth/two-factor";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { clearRate, requireRate } from "@/lib/platform/rate";
import { derivedKeys } from "@/lib/platform/secrets";

const WINDOW_MS = 15 * 60_000;
const TRIES = 5;
/** How long a proof at the provider can be used. */
const PROVIDER_MS = 5 * 60_000;

/** @throws Refusal `reauthentication_required` when the person's last authentication is older than `ms`. */
export function requireFresh(owner: Pick<Owner, "signedInAt" | "secondFactor">, ms: number, now: Date): void {
  if (now.getTime() - owner.signedInAt.getTime() <= ms) return;
  throw new Refusal("reauthentication_required", "Confirm again that it is you to continue.", {
    second_factor: owner.secondFactor,
  });
}

/** What a signed-in person proves themselves with: a passkey; or a password or the provider, and a code if set up. */
export const proof = z.strictObject({
  passkey: passkeyAnswer.optional(),
  password: z.string("must be text").max(1024, "must have at most 1024 characters").optional(),
  code: z.string("must be text").max(64, "must have at most 64 characters").optional(),
});
export type Proof = z.output<typeof proof>;

/**
 * Reauthenticates a signed-in person. A passkey counts as both factors. Without a password in the proof, the person must
 * just have signed in again with the provider, for this session. Refreshes only this session.
 *
 * @throws Refusal `invalid_input` naming the field, `rate_limited` after five failed attempts in 15 minutes.
 */
export async function reauthenticate(owner: Owner, proof: Proof, now: Date): Promise<void> {
  const key = `reauth:${owner.personId}`;
  await requireRate(key, TRIES, WINDOW_MS, now, "Too many failed attempts. Try again later.");
  if (proof.passkey) await requirePasskey(owner, proof.passkey, now);
  else await requireBothFactors(owner, proof, now);
  await clearRate(key);
  await db().ownerSession.updateMany({
    where: { sidHash: sidHashOf(owner.sid), revokedAt: null },
    data: { authTime: now },
  });
}

async function requirePasskey(owner: Owner, answer: PasskeyAnswer, now: Date): Promise<void> {
  if (await takePasskey(answer, owner.sid, owner.personId, now)) return;
  throw new Refusal("invalid_input", "This passkey was not accepted. Try again.");
}

async function requireBothFactors(owner: Owner, { password, code = "" }: Proof, now: Date): Promise<void> {
  const { personId, ways } = owner;
  if (password !== undefined) {
    const { passwordHash } = await db().person.findUniqueOrThrow({ where: { id: personId } });
    const isRight = await checkPassword(ways.password ? passwordHash : null, password);
    if (!isRight) throw invalidInput([{ path: "password", message: "is not your password" }]);
  } else await requireProvider(owner, now);
  const kind = codeKindOf(ways);
  if (kind && !(await takeSecondFactor(personId, code, now)))
    throw invalidInput([{ path: "code", message: wrongCode(kind) }]);
  // Used up last, so that a wrong code does not send the person to the provider again.
  if (password === undefined) await provenByProvider(owner.sid, null);
}

async function requireProvider({ sid }: Owner, now: Date): Promise<void> {
  const since = new Date(now.getTime() - PROVIDER_MS);
  const where = { sidHash: sidHashOf(sid), revokedAt: null, providerAuthTime: { gte: since } };
  if ((await db().ownerSession.count({ where })) > 0) return;
  throw new Refusal("invalid_input", "You have not confirmed yet that it is you.");
}

/** Stores when the person of a session proved themselves at the provider; null once that is used up. */
export const provenByProvider = (sid: string, providerAuthTime: Date | null) =>
  db().ownerSession.updateMany({ where: { sidHash: sidHashOf(sid), revokedAt: null }, data: { providerAuthTime } });

/** Returns the CSRF token of a session, which our pages send with every operation. */
export const csrfToken = (sid: string): string => csrfTokens(sid)[0] ?? "";

const csrfTokens = (sid: string): string[] =>
  derivedKeys("csrf").map((key) => createHmac("sha256", key).update(sid).digest("base64url"));

export function isCsrfToken(sid: string, given: string | null): boolean {
  const sent = Buffer.from(given ?? "");
  return csrfTokens(sid).some((token) => sent.length === token.length && timingSafeEqual(sent, Buffer.from(token)));
}
