import { passkeyWorks, passwordIsOn, providerSettings } from "@/lib/auth/ways";
import type { Owner } from "@/lib/contract/define";
import type { Db, Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";

type PersonWays = Owner["ways"];

/** Selects the columns of a person that `personWays` reads. */
export const selectWays = () =>
  ({
    passwordHash: true,
    totpConfirmedAt: true,
    passkeys: { select: { rpId: true } },
    _count: { select: { providers: { where: { issuer: providerSettings()?.issuer ?? "" } } } },
  }) satisfies Prisma.PersonSelect;

interface Selected {
  passwordHash: string | null;
  totpConfirmedAt: Date | null;
  passkeys: { rpId: string | null }[];
  _count: { providers: number };
}

/** Returns what a person can prove themselves with on this service now. */
export const personWays = ({ passwordHash, totpConfirmedAt, passkeys, _count }: Selected): PersonWays => ({
  password: passwordHash !== null && passwordIsOn(),
  provider: _count.providers > 0,
  passkey: passkeys.some(({ rpId }) => passkeyWorks(rpId)),
  formerPasskey: passkeys.some(({ rpId }) => !passkeyWorks(rpId)),
  app: totpConfirmedAt !== null,
});

/**
 * Returns whether a person has a second factor: an authenticator app, or a passkey. One of an earlier host counts too, with
 * the recovery codes in its place: a new host name must not turn two-factor authentication off.
 */
export const hasSecondFactor = ({
  app,
  passkey,
  formerPasskey,
}: Pick<PersonWays, "app" | "passkey" | "formerPasskey">): boolean => app || passkey || formerPasskey;

/** The code that a person types as their second factor. `recovery`: they have no app, so only a recovery code. */
export type CodeKind = "app" | "recovery";

/** Returns which code a person types as their second factor; null without one. */
export const codeKindOf = (ways: Pick<PersonWays, "app" | "passkey" | "formerPasskey">): CodeKind | null =>
  ways.app ? "app" : hasSecondFactor(ways) ? "recovery" : null;

/** What is wrong with a wrong code. */
export const wrongCode = (kind: CodeKind): string =>
  kind === "app"
    ? "is not the code your app shows now; each code works only once"
    : "is not one of your recovery codes; each code works only once";

/** Reads what a person can prove themselves with now. */
export async function readWays(on: Db, personId: number): Promise<PersonWays> {
  return personWays(await on.person.findUniqueOrThrow({ where: { id: personId }, select: selectWays() }));
}

/**
 * Checks, after a change in the same transaction, that the person can still sign in.
 *
 * @throws Refusal `role_denied` when the last way to sign in is gone.
 */
export async function requireWayToSignIn(tx: Db, personId: number): Promise<void> {
  const { password, provider, passkey } = await readWays(tx, personId);
  if (password || provider || passkey) return;
  throw new Refusal("role_denied", "This is your last way to sign in. Add another one first.");
}
