import { timingSafeEqual } from "node:crypto";
import { lockSignupsExclusive } from "@/lib/auth/administrators";
import { insertPerson } from "@/lib/auth/create-person";
import { hashPassword } from "@/lib/auth/password";
import { requirePasswordSignIn } from "@/lib/auth/ways";
import { type Db, db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { derivedKeys, digest } from "@/lib/platform/secrets";
import { currentLanguage } from "@/lib/texts/translate";

/** 144 bits in base64url. */
const TOKEN_LENGTH = 24;

const setupTokens = (): string[] =>
  derivedKeys("setup-token").map((key) => key.toString("base64url").slice(0, TOKEN_LENGTH));

/**
 * Returns the token required to create the first account over the network. The server prints it at boot while there is
 * no account. Derived from the secrets, so it is the same in all processes and not stored.
 */
export const setupToken = (): string => setupTokens()[0] ?? "";

const isSetupToken = (typed: string): boolean =>
  setupTokens().some((token) => timingSafeEqual(digest(token), digest(typed.trim())));

/** @throws Refusal `invalid_input` at `token` unless it is the setup token or the request comes from this machine */
export function requireSetupToken(token: string, fromThisMachine: boolean): void {
  if (fromThisMachine || isSetupToken(token)) return;
  throw invalidInput([{ path: "token", message: "is not the setup token that the server printed when it started" }]);
}

/** Whether the service has no account yet. */
export const needsSetup = async (on: Db = db()): Promise<boolean> => (await on.person.count({ take: 1 })) === 0;

/**
 * Creates the first account, whose person is the administrator. Its address is not verified: the setup token, or a
 * request from the server's own machine, is stronger proof.
 *
 * @param person the normalised address, a valid new password, and the setup token if the form asks for it.
 * @param fromThisMachine whether the request comes from the server's own machine.
 * @throws Refusal `invalid_input` at `token` or `email`, `role_denied` when an account exists.
 */
export async function createFirstAccount(
  { email, password, token = "" }: { email: string; password: string; token?: string | undefined },
  fromThisMachine: boolean,
  now: Date,
): Promise<void> {
  if (!(await needsSetup())) throw alreadySetUp();
  requirePasswordSignIn();
  requireSetupToken(token, fromThisMachine);
  const passwordHash = await hashPassword(password);
  await db().$transaction(async (tx) => {
    // Only one of several parallel requests may create the first account.
    await lockSignupsExclusive(tx);
    if (!(await needsSetup(tx))) throw alreadySetUp();
    await insertPerson(tx, { email, passwordHash, language: currentLanguage() }, now);
  });
}

const alreadySetUp = () =>
  new Refusal("role_denied", "The first account has been created meanwhile. Reload this page to create your own.");
