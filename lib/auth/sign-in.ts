import { UAParser } from "ua-parser-js";
import { emailAddress, normaliseEmail } from "@/lib/auth/email";
import { knownBrowserOf } from "@/lib/auth/known-browser";
import { checkPassword } from "@/lib/auth/password";
import { type CodeKind, codeKindOf, readWays } from "@/lib/auth/person-ways";
import { takeSecondFactor } from "@/lib/auth/two-factor";
import { countedNetwork } from "@/lib/platform/counted-address";
import { type Db, db } from "@/lib/platform/db";
import { DAY_MS, HOUR_MS } from "@/lib/platform/durations";
import { lockRow } from "@/lib/platform/lock-row";
import { clearRate, refundRate, takeRate } from "@/lib/platform/rate";
import { freshSecret, hashOf, hexDigest } from "@/lib/platform/secrets";

export const SESSION_DAYS = 30;
const QUARTER_MS = 15 * 60_000;
/**
 * Maximum wrong passwords: per known browser or per network and account; per network; per account by unknown
 * browsers.
 */
const TRIES = 5;
const TRIES_PER_NETWORK = 50;
const TRIES_PER_ACCOUNT = 100;
/** Nobody can guess these: the limit bounds the calls of the provider. An office signs in from one address. */
const ATTEMPTS_PER_NETWORK = 600;

/** Too many wrong passwords; `retryAfter` is in whole seconds. */
export class TooManyTries extends Error {
  constructor(readonly retryAfter: number) {
    super(`too_many_tries:${retryAfter}`);
  }
}

/** The password is correct, but the two-factor code is missing or wrong. No session was opened. */
export class SecondFactorNeeded extends Error {
  constructor(kind: CodeKind, fault: "needed" | "wrong") {
    super(`second_factor_${fault}${kind === "app" ? "" : `:${kind}`}`);
  }
}

/** The person has proven themselves, but an administrator has disabled the account. No session was opened. */
export class AccountDisabled extends Error {
  constructor() {
    super("account_disabled");
  }
}

/** The browser of a sign-in. */
export interface Caller {
  /** The IP address. */
  address: string;
  /** The `Cookie` header, which may contain the device cookie. */
  cookies?: string | undefined;
  userAgent?: string | undefined;
}

export interface SignInTry extends Caller {
  email: string;
  password: string;
  /** A code from the authenticator app or a recovery code, with two-factor authentication. */
  code?: string | undefined;
}

export interface SignedIn {
  personId: number;
  email: string;
  /** The session's secret id; only its digest is stored. */
  sid: string;
}

/** At most `tries` attempts within `windowMs` per key. */
interface Limit {
  key: string;
  tries: number;
  windowMs: number;
}

/**
 * Returns the limits that an attempt counts towards. A known browser has its own. All others count per account and
 * network, so that strangers cannot lock an account for everyone; the last limit bounds guessing from many networks.
 */
function limitsOf(email: string, { address, cookies }: SignInTry): Limit[] {
  const browser = knownBrowserOf(cookies, email);
  if (browser) return [{ key: `signin:browser:${hexDigest(browser)}`, tries: TRIES, windowMs: QUARTER_MS }];
  const [account, network] = [hexDigest(email), hexDigest(countedNetwork(address))];
  return [
    { key: `signin:pair:${account}:${network}`, tries: TRIES, windowMs: QUARTER_MS },
    { key: `signin:network:${network}`, tries: TRIES_PER_NETWORK, windowMs: QUARTER_MS },
    { key: `signin:account:${account}`, tries: TRIES_PER_ACCOUNT, windowMs: HOUR_MS },
  ];
}

/**
 * Signs a person in: rate limits, then password, then the two-factor code if set up, then a new session. An unknown
 * address and a wrong password give the same result after the same time.
 *
 * @returns null when the email address or password is wrong.
 * @throws TooManyTries when a limit is reached, even with the correct password. Wrong passwords: 5 in 15 minutes per
 *   known browser, or per network (/24 or /64) and account; 50 in 15 minutes per network; 100 an hour per account from
 *   unknown browsers. Wrong codes: 5 in 15 minutes per account, counted after the correct password.
 * @throws SecondFactorNeeded only after the correct password; a wrong code counts as a failed attempt.
 */
export async function signIn(given: SignInTry, now: Date): Promise<SignedIn | null> {
  const email = normaliseEmail(given.email);
  const limits = limitsOf(email, given);
  // Counted before the password check, so that parallel attempts all count.
  for (const limit of limits) await take(limit, now);

  const person = emailAddress.safeParse(email).success ? await db().person.findUnique({ where: { email } }) : null;
  const isCorrect = await checkPassword(person?.passwordHash ?? null, given.password);
  if (!person || !isCorrect) return null;

  const keys = limits.map(({ key }) => key);
  const kind = codeKindOf(await readWays(db(), person.id));
  if (kind) await checkCode({ personId: person.id, kind }, given.code, keys, now);
  // Success resets the first counter, which is this account's own. The shared counters only get this attempt back:
  // otherwise attackers could reset them by signing in to an account of their own.
  const [own = "", ...shared] = keys;
  await clearRate(own);
  await refundRate(...shared);
  const { id: personId, passwordHash } = person;
  const sid = await openSession({ personId, by: { passwordHash } }, given.userAgent, now);
  return sid === null ? null : { personId, email: person.email, sid };
}

/** @throws SecondFactorNeeded or TooManyTries unless the code is correct. */
async function checkCode(of: CodeOf, code: string | undefined, taken: string[], now: Date): Promise<void> {
  if (!code) {
    // Not a failed attempt, so it is given back, but earlier wrong codes still count.
    await refundRate(...taken);
    throw new SecondFactorNeeded(of.kind, "needed");
  }
  await takeCode(of, code, now);
}

/** Whose code is asked for, and which. */
interface CodeOf {
  personId: number;
  kind: CodeKind;
}

/** Uses up a two-factor code. @throws TooManyTries after five wrong ones in 15 minutes, SecondFactorNeeded */
export async function takeCode({ personId, kind }: CodeOf, code: string, now: Date): Promise<void> {
  const key = `signin:code:${personId}`;
  await take({ key, tries: TRIES, windowMs: QUARTER_MS }, now);
  if (!(await takeSecondFactor(personId, code, now))) throw new SecondFactorNeeded(kind, "wrong");
  await clearRate(key);
}

/** Counts an attempt to sign in without a password, also one that succeeds. @throws TooManyTries beyond 600 of a network in 15 minutes */
export const takeAttempt = (address: string, now: Date): Promise<void> =>
  take(
    { key: `signin:other:${hexDigest(countedNetwork(address))}`, tries: ATTEMPTS_PER_NETWORK, windowMs: QUARTER_MS },
    now,
  );

async function take({ key, tries, windowMs }: Limit, now: Date): Promise<void> {
  const { allowed, retryAfter } = await takeRate(key, tries, windowMs, now);
  if (!allowed) throw new TooManyTries(retryAfter);
}

/** What has just proven a person. */
export type ProvenBy = { passwordHash: string | null } | { passkey: string } | { issuer: string; subject: string };

/**
 * Opens a session of a person, if what has proven them is still theirs: it may have been replaced or removed since, by a
 * reset of the password or by securing the account.
 *
 * @param authTime when they proved themselves.
 * @returns the session's secret id; null when the proof no longer holds.
 * @throws AccountDisabled
 */
export async function openSession(
  { personId, by, authTime }: { personId: number; by: ProvenBy; authTime?: Date },
  userAgent: string | undefined,
  now: Date,
): Promise<string | null> {
  const sid = freshSecret();
  return db().$transaction(async (tx) => {
    await lockRow(tx, "person", personId);
    if (!(await stillProves(tx, personId, by))) return null;
    if ((await tx.person.count({ where: { id: personId, disabledAt: null } })) === 0) throw new AccountDisabled();
    await tx.ownerSession.create({
      data: {
        sidHash: hashOf(sid),
        personId,
        device: deviceOf(userAgent),
        createdAt: now,
        lastSeenAt: now,
        authTime: authTime ?? now,
        expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY_MS),
      },
    });
    return sid;
  });
}

async function stillProves(tx: Db, personId: number, by: ProvenBy): Promise<boolean> {
  if ("passkey" in by) return (await tx.passkey.count({ where: { personId, id: by.passkey } })) > 0;
  if ("issuer" in by) return (await tx.providerAccount.count({ where: { personId, ...by } })) > 0;
  return (await tx.person.count({ where: { id: personId, passwordHash: by.passwordHash } })) > 0;
}

/** Returns a browser name such as "Firefox on Linux"; null when the user agent is unknown. */
function deviceOf(userAgent: string | undefined): string | null {
  const { browser, os } = new UAParser(userAgent?.slice(0, 512) ?? "").getResult();
  if (!browser.name) return null;
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}
