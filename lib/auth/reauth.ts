import { createHmac, timingSafeEqual } from "node:crypto";
import { checkPassword } from "@/lib/auth/password";
import { sidHashOf } from "@/lib/auth/session-row";
import { takeSecondFactor } from "@/lib/auth/two-factor";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { clearRate, requireRate } from "@/lib/platform/rate";
import { derivedKeys } from "@/lib/platform/secrets";

const WINDOW_MS = 15 * 60_000;
const TRIES = 5;

/** @throws Refusal `reauthentication_required` when the person's last authentication is older than `ms`. */
export function requireFresh(owner: Pick<Owner, "signedInAt" | "secondFactor">, ms: number, now: Date): void {
  if (now.getTime() - owner.signedInAt.getTime() <= ms) return;
  throw new Refusal("reauthentication_required", "Enter your password again to continue.", {
    second_factor: owner.secondFactor,
  });
}

/**
 * Reauthenticates a signed-in person with their password, and a two-factor code if set up. Refreshes only this session.
 *
 * @throws Refusal `invalid_input` naming the field, `rate_limited` after five failed attempts in 15 minutes.
 */
export async function reauthenticate(
  owner: Owner,
  given: { password: string; code?: string | undefined },
  now: Date,
): Promise<void> {
  const key = `reauth:${owner.personId}`;
  await requireRate(key, TRIES, WINDOW_MS, now, "Too many failed attempts. Try again later.");
  const { passwordHash } = await db().person.findUniqueOrThrow({ where: { id: owner.personId } });
  if (!(await checkPassword(passwordHash, given.password))) {
    throw invalidInput([{ path: "password", message: "is not your password" }]);
  }
  if (owner.secondFactor && !(await takeSecondFactor(owner.personId, given.code ?? "", now))) {
    throw invalidInput([{ path: "code", message: "is not the code your app shows now; each code works only once" }]);
  }
  await clearRate(key);
  await db().ownerSession.updateMany({
    where: { sidHash: sidHashOf(owner.sid), revokedAt: null },
    data: { authTime: now },
  });
}

/** Returns the CSRF token of a session, which our pages send with every operation. */
export const csrfToken = (sid: string): string => csrfTokens(sid)[0] ?? "";

const csrfTokens = (sid: string): string[] =>
  derivedKeys("csrf").map((key) => createHmac("sha256", key).update(sid).digest("base64url"));

export function isCsrfToken(sid: string, given: string | null): boolean {
  const sent = Buffer.from(given ?? "");
  return csrfTokens(sid).some((token) => sent.length === token.length && timingSafeEqual(sent, Buffer.from(token)));
}
