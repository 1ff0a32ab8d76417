import { passwordIsOn, providerSettings } from "@/lib/auth/ways";
import type { Owner } from "@/lib/contract/define";
import type { Db, Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { lockRow } from "@/lib/platform/lock-row";

type PersonWays = Owner["ways"];

/** Selects the columns of a person that `personWays` reads. */
export const selectWays = () =>
  ({
    passwordHash: true,
    totpConfirmedAt: true,
    _count: { select: { passkeys: true, providers: { where: { issuer: providerSettings()?.issuer ?? "" } } } },
  }) satisfies Prisma.PersonSelect;

interface Selected {
  passwordHash: string | null;
  totpConfirmedAt: Date | null;
  _count: { passkeys: number; providers: number };
}

/** Returns what a person can prove themselves with on this service now. */
export const personWays = ({ passwordHash, totpConfirmedAt, _count }: Selected): PersonWays => ({
  password: passwordHash !== null && passwordIsOn(),
  provider: _count.providers > 0,
  passkey: _count.passkeys > 0,
  app: totpConfirmedAt !== null,
});

/** Returns whether a person has a second factor: an authenticator app, or a passkey. */
export const hasSecondFactor = ({ app, passkey }: Pick<PersonWays, "app" | "passkey">): boolean => app || passkey;

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

/** Serialises changes of a person's ways to sign in, so that two at once cannot remove the last two. */
export const lockWays = (tx: Db, personId: number): Promise<unknown> => lockRow(tx, "person", personId);
