import type { Owner } from "@/lib/contract/define";
import type { Db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";

/** The people who run the service. The first account is one; an administrator names others. */

/** Advisory lock: shared by sign-ups, exclusive for callers that need no account to be created or disabled meanwhile. */
const SIGNUP_LOCK = 0x6669_7273;

/** Takes the shared lock. Call it before creating an account; others can sign up at the same time. */
export const lockSignupsShared = (tx: Db): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${SIGNUP_LOCK})`;

/** Waits for running sign-ups and changes of administrators, and blocks new ones until this transaction ends. */
export const lockSignupsExclusive = (tx: Db): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(${SIGNUP_LOCK})`;

/** @throws Refusal `role_denied` for everybody else */
export function requireAdministrator({ administrator }: Pick<Owner, "administrator">): void {
  if (!administrator) throw new Refusal("role_denied", "Only administrators of this service can do this.");
}

/** Whether another administrator who can sign in remains without this person. */
export const hasOtherAdministrator = async (on: Db, personId: number): Promise<boolean> =>
  (await on.person.count({ where: { administrator: true, disabledAt: null, id: { not: personId } }, take: 1 })) > 0;
