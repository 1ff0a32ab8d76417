import { type Db, db } from "@/lib/platform/db";

/** Advisory lock: shared by sign-ups, exclusive for callers that need no account to be created meanwhile. */
const SIGNUP_LOCK = 0x6669_7273;

/**
 * Whether this is the first account of the service, whose person is the administrator. The role is not passed on: the
 * first account can only be deleted as the last one.
 */
export async function isFirstAccount(personId: number, on: Db = db()): Promise<boolean> {
  return (await on.person.findFirst({ orderBy: { id: "asc" }, select: { id: true } }))?.id === personId;
}

/** Takes the shared lock. Call it before creating an account; others can sign up at the same time. */
export const lockSignupsShared = (tx: Db): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${SIGNUP_LOCK})`;

/** Waits for running sign-ups and blocks new ones until this transaction ends. */
export const lockSignupsExclusive = (tx: Db): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(${SIGNUP_LOCK})`;
