import { randomUUID } from "node:crypto";
import { lockSignupsShared } from "@/lib/auth/administrators";
import { insertPerson } from "@/lib/auth/create-person";
import { hashPassword } from "@/lib/auth/password";
import { passwordIsOn, requirePasswordSignIn } from "@/lib/auth/ways";
import { inSiteTransaction } from "@/lib/gateway/changes/change-site";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { acceptWithin, requireInvitation } from "@/lib/sites/invitations";
import { currentLanguage } from "@/lib/texts/translate";

/** Returns whether people invited to a site can create an account with a password by accepting. */
export const canJoinByInvitation = (): boolean => env().SIGNUP !== "closed" && passwordIsOn();

/**
 * Creates the account of an invited person and accepts the invitation. A link that came by email also
 * confirms the email address.
 *
 * @param invitation the secret in the invitation link
 * @param person the normalised address and a valid new password
 * @throws Refusal `invalid_input` at `email` when it has an account, `role_denied` if sign-up is closed, and whatever
 *   `acceptInvitation` throws.
 */
export async function joinByInvitation(
  invitation: string,
  { email, password }: { email: string; password: string },
  now: Date,
): Promise<void> {
  // Checked first, so that a forged invitation neither costs a password hash nor reveals who has an account.
  const { linkShown } = await requireInvitation(db(), invitation, email, now);
  requirePasswordSignIn();
  if (!canJoinByInvitation()) {
    throw new Refusal("role_denied", "Sign-up is closed. Ask the administrator of this service for an account.");
  }
  const passwordHash = await hashPassword(password);
  await inSiteTransaction(async (tx) => {
    await lockSignupsShared(tx);
    const personId = await insertPerson(tx, { email, passwordHash, language: currentLanguage() }, now, !linkShown);
    await acceptWithin(tx, invitation, { personId, email, requestId: randomUUID() }, now);
  });
}
