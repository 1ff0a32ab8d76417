import { type Db, db } from "@/lib/platform/db";

/** Held by whoever makes an account, and alone by who needs that none is made meanwhile. */
const FIRST_PERSON_LOCK = 0x6669_7273;

/**
 * Whether this is the first account of the service: whoever made it runs it, and alone sees the page about all of it.
 * Nobody inherits that, since the first account is deleted only as the last one.
 */
export async function isFirstAccount(personId: number, on: Db = db()): Promise<boolean> {
  return (await on.person.findFirst({ orderBy: { id: "asc" }, select: { id: true } }))?.id === personId;
}

/** To be called before an account is made, which others may be at the same time. */
export const lockSignupsShared = (tx: Db): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${FIRST_PERSON_LOCK})`;

/** Waits for the accounts that are being made, and lets none be made until this transaction ends. */
export const lockSignupsExclusive = (tx: Db): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_PERSON_LOCK})`;
