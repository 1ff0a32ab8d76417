import { createHash } from "node:crypto";
import { UAParser } from "ua-parser-js";
import { emailAddress, normaliseEmail } from "@/lib/auth/email";
import { checkPassword } from "@/lib/auth/password";
import { takeSecondFactor } from "@/lib/auth/second-factor";
import { countedAddress } from "@/lib/counted-address";
import { db } from "@/lib/db";
import { clearRate, takeRate } from "@/lib/gateway/rate";
import { digest, freshSecret } from "@/lib/secrets";

export const SESSION_DAYS = 30;
const WINDOW_MS = 15 * 60_000;
const TRIES_PER_ACCOUNT = 5;
const TRIES_PER_ADDRESS = 20;

/** Too many wrong passwords; `retryAfter` is in whole seconds. */
export class TooManyTries extends Error {
  constructor(readonly retryAfter: number) {
    super(`too_many_tries:${retryAfter}`);
  }
}

/** The password is right, and a second factor is set up: none was shown, or a wrong one. No session was opened. */
export class SecondFactorNeeded extends Error {
  constructor(wrong: boolean) {
    super(wrong ? "second_factor_wrong" : "second_factor_needed");
  }
}

export interface SignInTry {
  email: string;
  password: string;
  /** Six digits of the person's app or a recovery code, where a second factor is set up. */
  code?: string | undefined;
  /** The browser's address, as the server saw it. */
  address: string;
  userAgent?: string;
}

export interface SignedIn {
  personId: number;
  email: string;
  name: string | null;
  /** The session's secret name; only its digest is stored. */
  sid: string;
}

/**
 * Signs a person in: the limits first, then the password, then the second factor where one is set up, then a session
 * row. An unknown address and a wrong password are the same answer after the same time.
 *
 * @returns null when the pair is not right.
 * @throws TooManyTries after 5 wrong tries on one account or 20 from one address within 15 minutes; then even
 *   the right password is refused.
 * @throws SecondFactorNeeded only to someone with the right password; a wrong code is a wrong try.
 */
export async function signIn(given: SignInTry, now: Date): Promise<SignedIn | null> {
  const email = normaliseEmail(given.email);
  const accountKey = accountKeyOf(email);
  const addressKey = `signin:address:${sha256(countedAddress(given.address))}`;
  // Taken before the password is looked at, so that tries sent side by side are all counted.
  await take(addressKey, TRIES_PER_ADDRESS, now);
  await take(accountKey, TRIES_PER_ACCOUNT, now);

  const person = emailAddress.safeParse(email).success ? await db().person.findUnique({ where: { email } }) : null;
  const right = await checkPassword(person?.passwordHash ?? null, given.password);
  if (!person || !right) return null;

  if (person.totpSince && !given.code) {
    // No failure so far, but no reason to forget the wrong codes before it either: this one try is given back.
    await giveBack([accountKey, addressKey]);
    throw new SecondFactorNeeded(false);
  }
  if (person.totpSince && !(await takeSecondFactor(person.id, given.code ?? "", now))) {
    throw new SecondFactorNeeded(true);
  }
  // Who signs in has not failed: the account starts anew, the address gets this one try back (only this
  // one, or an attacker's own account would wipe the count of his tries on others).
  await clearRate(accountKey);
  await giveBack([addressKey]);
  const sid = await openSession(person.id, given.userAgent, now);
  return { personId: person.id, email: person.email, name: person.name, sid };
}

/** Under which the wrong tries on one account are counted; `email` is normal already. */
export const accountKeyOf = (email: string): string => `signin:account:${sha256(email)}`;

async function take(key: string, limit: number, now: Date): Promise<void> {
  const { allowed, retryAfter } = await takeRate(key, limit, WINDOW_MS, now);
  if (!allowed) throw new TooManyTries(retryAfter);
}

async function giveBack(keys: string[]): Promise<void> {
  await db().rateCount.updateMany({ where: { key: { in: keys }, hits: { gt: 0 } }, data: { hits: { decrement: 1 } } });
}

async function openSession(personId: number, userAgent: string | undefined, now: Date): Promise<string> {
  const sid = freshSecret();
  await db().ownerSession.create({
    data: {
      sidHash: new Uint8Array(digest(sid)),
      personId,
      device: deviceOf(userAgent),
      createdAt: now,
      lastSeenAt: now,
      authTime: now,
      expiresAt: new Date(now.getTime() + SESSION_DAYS * 86_400_000),
    },
  });
  return sid;
}

/** What the person will recognise the browser by, such as "Firefox on Linux". */
function deviceOf(userAgent: string | undefined): string | null {
  const { browser, os } = new UAParser(userAgent?.slice(0, 512) ?? "").getResult();
  if (!browser.name) return null;
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
