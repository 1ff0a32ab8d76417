import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { insertPerson, parseFields, personFields } from "@/lib/auth/create-person";
import { lockSignupsExclusive } from "@/lib/auth/first-account";
import { hashPassword } from "@/lib/auth/password";
import { type Db, db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { derivedKeys, digest } from "@/lib/platform/secrets";

/** 144 bits in base64url. */
const TOKEN_LENGTH = 24;

const setupTokens = (): string[] =>
  derivedKeys("setup-token").map((key) => key.toString("base64url").slice(0, TOKEN_LENGTH));

/**
 * The token that proves who makes the first account over the network: the server prints it at boot while it has no
 * account. It is derived from the secrets, so all processes of the service have the same one and none stores it.
 */
export const setupToken = (): string => setupTokens()[0] ?? "";

const isSetupToken = (typed: string): boolean =>
  setupTokens().some((token) => timingSafeEqual(digest(token), digest(typed.trim())));

/** Whether the service has no account yet. */
export const needsSetup = async (on: Db = db()): Promise<boolean> => (await on.person.count({ take: 1 })) === 0;

const fields = personFields.extend({
  token: z.string("must be text").max(200, "must have at most 200 characters").optional(),
});

/**
 * Makes the first account, which runs the service. Its address needs no proof: being on this machine, or knowing the
 * setup token, proves more.
 *
 * @param given what was typed: email, password, token?
 * @param fromThisMachine whether the request was made on the machine that the server runs on.
 * @throws Refusal `invalid_input` naming the fields, `role_denied` when there is an account already.
 */
export async function createFirstAccount(given: unknown, fromThisMachine: boolean, now: Date): Promise<void> {
  const { token = "", password, ...person } = parseFields(fields, given);
  if (!(await needsSetup())) throw alreadySetUp();
  if (!fromThisMachine && !isSetupToken(token)) {
    throw invalidInput([{ path: "token", message: "is not the setup token that the server printed when it started" }]);
  }
  const passwordHash = await hashPassword(password);
  await db().$transaction(async (tx) => {
    // Of all who want to make the first account only one does.
    await lockSignupsExclusive(tx);
    if (!(await needsSetup(tx))) throw alreadySetUp();
    await insertPerson(tx, { ...person, passwordHash }, now);
  });
}

const alreadySetUp = () =>
  new Refusal("role_denied", "The first account has been made meanwhile. Reload this page to create your own.");
