import { randomUUID } from "node:crypto";
import { insertPerson, parseFields, personFields } from "@/lib/auth/create-person";
import { lockSignupsShared } from "@/lib/auth/first-account";
import { hashPassword } from "@/lib/auth/password";
import { inSiteTransaction } from "@/lib/gateway/changes/change-site";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { acceptWithin, requireInvitation } from "@/lib/sites/invitations";

/** Whether a person who is invited to a site may make an account for that. */
export const canJoinByInvitation = (): boolean => env().SIGNUP !== "closed";

/**
 * Makes the account of an invited person and accepts the invitation with it. Its link came by email, so it proves the
 * address too.
 *
 * @param invitation the secret of the invitation's link.
 * @param given what was typed: email, password
 * @throws Refusal `invalid_input` naming the fields, `role_denied` when sign-up is closed, and what `acceptInvitation`
 *   throws.
 */
export async function joinByInvitation(invitation: string, given: unknown, now: Date): Promise<void> {
  const { password, ...person } = parseFields(personFields, given);
  const { email } = person;
  // First, so that a made-up invitation neither costs a hash nor shows who has an account.
  await requireInvitation(db(), invitation, email, now);
  if (!canJoinByInvitation()) {
    throw new Refusal("role_denied", "New accounts are closed here. Ask the person who runs this service.");
  }
  const passwordHash = await hashPassword(password);
  await inSiteTransaction(async (tx) => {
    await lockSignupsShared(tx);
    const personId = await insertPerson(tx, { ...person, passwordHash }, now);
    await acceptWithin(tx, invitation, { personId, email, requestId: randomUUID() }, now);
  });
}
