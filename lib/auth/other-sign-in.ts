import { cookieIn, ownCookie } from "@/lib/auth/cookies";
import { type Step, stepCookie } from "@/lib/auth/journey";
import { passkeyAnswer, takePasskey } from "@/lib/auth/passkeys";
import { linkIdentity } from "@/lib/auth/provider-sign-in";
import { type Caller, openSession, type SignedIn, takeAttempt, takeCode } from "@/lib/auth/sign-in";
import { db } from "@/lib/platform/db";

/** Ways to sign in without a password. */

type Given = Record<string, string | undefined>;

/** The cookie that holds the secret of a browser without a session, which alone can answer its challenges. */
export const passkeyCookie = () => ownCookie("passkey");

/**
 * Signs in with a passkey, which counts as both factors.
 *
 * @param given.answer the answer of the passkey, as JSON.
 * @returns null when it is refused.
 * @throws TooManyTries
 */
export async function signInByPasskeyAnswer({ answer = "" }: Given, by: Caller, now: Date): Promise<SignedIn | null> {
  await takeAttempt(by.address, now);
  const read = passkeyAnswer.safeParse(jsonOf(answer));
  const holder = cookieIn(by.cookies, passkeyCookie().name);
  const person = read.success && holder ? await takePasskey(read.data, holder, null, now) : null;
  if (!person) return null;
  const step = stepCookie.read(by.cookies, now);
  if (step?.personId === person.personId) await finishStep(step, now);
  const { id, personId, email } = person;
  const sid = await openSession({ personId, by: { passkey: id } }, by.userAgent, now);
  return sid === null ? null : { personId, email, sid };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function finishStep({ personId, toLink }: Step, now: Date): Promise<void> {
  if (toLink) await linkIdentity(personId, toLink, now);
}

/**
 * Signs in the person whom the provider has just named, with their second factor.
 *
 * @param given.code a code from the authenticator app or a recovery code.
 * @returns null when the provider has named nobody for this browser, or too long ago, or the identity was unlinked since.
 * @throws SecondFactorNeeded, TooManyTries
 */
export async function signInByProviderStep({ code = "" }: Given, by: Caller, now: Date): Promise<SignedIn | null> {
  const step = stepCookie.read(by.cookies, now);
  if (!step || !(await db().person.findUnique({ where: { id: step.personId } }))) return null;
  await takeCode({ personId: step.personId, kind: step.kind }, code, now);
  await finishStep(step, now);
  const { personId, email, identity } = step;
  const sid = await openSession({ personId, by: identity }, by.userAgent, now);
  return sid === null ? null : { personId, email, sid };
}
