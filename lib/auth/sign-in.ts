import { createHash } from "node:crypto";
import { UAParser } from "ua-parser-js";
import { emailAddress, normaliseEmail } from "@/lib/auth/email";
import { knownBrowserOf } from "@/lib/auth/known-browser";
import { checkPassword } from "@/lib/auth/password";
import { takeSecondFactor } from "@/lib/auth/two-factor";
import { countedNetwork } from "@/lib/platform/counted-address";
import { db } from "@/lib/platform/db";
import { clearRate, takeRate } from "@/lib/platform/rate";
import { digest, freshSecret } from "@/lib/platform/secrets";

export const SESSION_DAYS = 30;
const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;
/** Wrong passwords: of one known browser, of one network on one account, of one network, on one account by strangers. */
const TRIES = 5;
const TRIES_PER_NETWORK = 50;
const STRANGERS_PER_ACCOUNT = 100;

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
  /** The browser's `Cookie` header: it may show that the person signed in here before. */
  cookies?: string | undefined;
  userAgent?: string;
}

export interface SignedIn {
  personId: number;
  email: string;
  name: string | null;
  /** The session's secret name; only its digest is stored. */
  sid: string;
}

/** At most `tries` within `windowMs` under one key. */
interface Limit {
  key: string;
  tries: number;
  windowMs: number;
}

/**
 * What a try counts towards. A browser on which the person signed in before has a count of its own. All others count by
 * account and network, so that no stranger locks an account for everyone; the last limit bounds guessing from many networks.
 */
function limitsOf(email: string, { address, cookies }: SignInTry): Limit[] {
  const browser = knownBrowserOf(cookies, email);
  if (browser) return [{ key: `signin:browser:${sha256(browser)}`, tries: TRIES, windowMs: QUARTER_MS }];
  const [account, network] = [sha256(email), sha256(countedNetwork(address))];
  return [
    { key: `signin:pair:${account}:${network}`, tries: TRIES, windowMs: QUARTER_MS },
    { key: `signin:network:${network}`, tries: TRIES_PER_NETWORK, windowMs: QUARTER_MS },
    { key: `signin:account:${account}`, tries: STRANGERS_PER_ACCOUNT, windowMs: HOUR_MS },
  ];
}

/**
 * Signs a person in: the limits first, then the password, then the second factor where one is set up, then a session
 * row. An unknown address and a wrong password are the same answer after the same time.
 *
 * @returns null when the pair is not right.
 * @throws TooManyTries when a limit is used up; then even the right password is refused. Wrong passwords: 5 in 15 minutes
 *   from one known browser, or from one network (/24 or /64) on one account; 50 in 15 minutes from one network; 100 an
 *   hour by strangers on one account. Wrong codes: 5 in 15 minutes on one account, counted after the right password.
 * @throws SecondFactorNeeded only to someone with the right password; a wrong code is a wrong try.
 */
export async function signIn(given: SignInTry, now: Date): Promise<SignedIn | null> {
  const email = normaliseEmail(given.email);
  const limits = limitsOf(email, given);
  // Taken before the password is looked at, so that tries sent side by side are all counted.
  for (const limit of limits) await take(limit, now);

  const person = emailAddress.safeParse(email).success ? await db().person.findUnique({ where: { email } }) : null;
  const right = await checkPassword(person?.passwordHash ?? null, given.password);
  if (!person || !right) return null;

  const keys = limits.map(({ key }) => key);
  if (person.totpSince) await checkCode(person.id, given.code, keys, now);
  // A success is no failure: the first count, of this account alone, starts anew. The others get this one try
  // back and no more, or an attacker's own account would wipe the count of their tries on others.
  const [own = "", ...shared] = keys;
  await clearRate(own);
  await giveBack(shared);
  const sid = await openSession(person.id, given.userAgent, now);
  return { personId: person.id, email: person.email, name: person.name, sid };
}

/** @throws SecondFactorNeeded or TooManyTries unless the code is right. */
async function checkCode(personId: number, code: string | undefined, taken: string[], now: Date): Promise<void> {
  if (!code) {
    // No failure so far, but no reason to forget the wrong codes before it either: this one try is given back.
    await giveBack(taken);
    throw new SecondFactorNeeded(false);
  }
  const key = `signin:code:${personId}`;
  await take({ key, tries: TRIES, windowMs: QUARTER_MS }, now);
  if (!(await takeSecondFactor(personId, code, now))) throw new SecondFactorNeeded(true);
  await clearRate(key);
}

async function take({ key, tries, windowMs }: Limit, now: Date): Promise<void> {
  const { allowed, retryAfter } = await takeRate(key, tries, windowMs, now);
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
