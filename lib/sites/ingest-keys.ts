import { invalidInput, Refusal } from "@/lib/contract/errors";
import { type Db, db } from "@/lib/db";
import { lockSite } from "@/lib/gateway/lock-site";
import { isOutOfTurn } from "@/lib/pool";
import { digest, freshSecret } from "@/lib/secrets";
import { siteFor } from "@/lib/sites/access";
import { LARGEST_ID, siteGone } from "@/lib/sites/change";
import { busy, type PeopleChange } from "@/lib/sites/members";

/** The keys with which servers send events of a site. */

const DAY_MS = 24 * 3600_000;
const MOST_KEYS = 20;
/** Together with those that were replaced and work on for their overlap, or end as soon anyway. */
const MOST_LIVE_KEYS = 2 * MOST_KEYS;
/** How long a key may work on beside the one that replaces it. */
export const LONGEST_OVERLAP_HOURS = 7 * 24;
const HINT_LENGTH = 4;

/** A key as the people of its site see it. */
export interface KeyShape {
  id: number;
  name: string;
  /** Its last characters. */
  hint: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** A key that was made in this moment. `key` is shown once and kept nowhere. */
export interface FreshKey {
  key: string;
  key_id: number;
}

const notRevoked = (siteId: number) => ({ siteId, revokedAt: null });
const live = (siteId: number, now: Date) => ({
  ...notRevoked(siteId),
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});
/** Live, and not about to end as a key does that was replaced. */
const lasting = (siteId: number, now: Date) => live(siteId, new Date(now.getTime() + LONGEST_OVERLAP_HOURS * 3600_000));

/** The keys of a site that nobody has revoked, newest first; those that have expired among them. */
export function listKeys(siteId: number): Promise<KeyShape[]> {
  return db().ingestKey.findMany({
    where: notRevoked(siteId),
    select: { id: true, name: true, hint: true, createdAt: true, expiresAt: true, lastUsedAt: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}

/**
 * A manager makes a key.
 *
 * @param days after which it expires; null for never.
 * @throws Refusal as `siteFor` does for who may not, `invalid_input` beyond twenty keys, not counting
 *   those that are about to end.
 */
export function makeKey(by: PeopleChange, name: string, days: number | null): Promise<FreshKey> {
  const expiresAt = days === null ? null : new Date(by.now.getTime() + days * DAY_MS);
  return change(by, "keys.make", async (tx) => {
    if ((await tx.ingestKey.count({ where: lasting(by.siteId, by.now) })) >= MOST_KEYS)
      throw tooManyKeys(MOST_KEYS, "name");
    const made = await addKey(tx, by, { name, expiresAt }, "name");
    return { result: made, keyId: made.key_id };
  });
}

/**
 * A manager replaces a key: a new one of the same name and span of life is made, and the old one ends after the overlap,
 * or when it would have ended anyway. At the limit of keys too: it stays one key, and what replaces it may be replaced.
 *
 * @throws Refusal `not_found` for a key that has ended already, `invalid_input` for one that was replaced already (what is
 *   left of its life is only the overlap) and when twenty more are about to end.
 */
export function rotateKey(by: PeopleChange, keyId: number, overlapHours: number): Promise<FreshKey> {
  const { siteId, now } = by;
  const ends = new Date(now.getTime() + overlapHours * 3600_000);
  return change(by, "keys.rotate", async (tx) => {
    const old = await tx.ingestKey.findFirst({ where: { id: keyId, ...live(siteId, now) } });
    if (!old) throw keyEnded();
    if (await wasReplaced(tx, siteId, keyId, now)) throw keyReplaced();
    const spanMs = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
    const expiresAt = spanMs === null ? null : new Date(now.getTime() + spanMs);
    await tx.ingestKey.updateMany({
      where: { id: keyId, siteId, OR: [{ expiresAt: null }, { expiresAt: { gt: ends } }] },
      data: { expiresAt: ends },
    });
    return { result: await addKey(tx, by, { name: old.name, expiresAt }, "key_id"), keyId };
  });
}

/** A manager ends a key, within seconds everywhere. @throws Refusal `not_found` for one that was revoked already. */
export function revokeKey(by: PeopleChange, keyId: number): Promise<void> {
  return change(by, "keys.revoke", async (tx) => {
    const where = { id: keyId, ...notRevoked(by.siteId) };
    const { count } = await tx.ingestKey.updateMany({ where, data: { revokedAt: by.now } });
    if (count === 0) throw keyEnded();
    return { result: undefined, keyId };
  });
}

/** Whether a live key has been replaced: by the audit, and no longer ago than an overlap may last. */
async function wasReplaced(tx: Db, siteId: number, keyId: number, now: Date): Promise<boolean> {
  const at = { gte: new Date(now.getTime() - LONGEST_OVERLAP_HOURS * 3600_000) };
  const detail = { path: ["key_id"], equals: keyId };
  return (await tx.audit.findFirst({ where: { siteId, operation: "keys.rotate", at, detail } })) !== null;
}

async function addKey(
  tx: Db,
  { siteId, personId, now }: PeopleChange,
  { name, expiresAt }: { name: string; expiresAt: Date | null },
  field: string,
): Promise<FreshKey> {
  const alive = await tx.ingestKey.count({ where: live(siteId, now) });
  if (alive >= MOST_LIVE_KEYS) throw tooManyKeys(MOST_LIVE_KEYS, field);
  const key = `ffk_${freshSecret()}`;
  const { id } = await tx.ingestKey.create({
    data: {
      siteId,
      name,
      hash: new Uint8Array(digest(key)),
      hint: key.slice(-HINT_LENGTH),
      createdById: personId,
      createdAt: now,
      expiresAt,
    },
  });
  return { key, key_id: id };
}

/** Changes of a site's keys take turns; each leaves a line in the audit. */
async function change<Result>(
  by: PeopleChange,
  operation: string,
  work: (tx: Db) => Promise<{ result: Result; keyId: number }>,
): Promise<Result> {
  const { personId, siteId, requestId, now } = by;
  if (siteId > LARGEST_ID) throw siteGone(siteId);
  try {
    return await db().$transaction(async (tx) => {
      await lockSite(tx, siteId);
      await siteFor(tx, { kind: "owner", personId }, siteId, "manager");
      const { result, keyId } = await work(tx);
      await tx.audit.create({
        data: { at: now, siteId, personId, requestId, operation, detail: { key_id: keyId } },
      });
      return result;
    });
  } catch (error) {
    if (isOutOfTurn(error)) throw busy();
    throw error;
  }
}

const tooManyKeys = (most: number, field: string) =>
  new Refusal("invalid_input", `A site has at most ${most} keys; revoke one that is not used first.`, {
    issues: [{ path: field, message: `is one key too many: a site has at most ${most}; revoke one first` }],
  });

const keyReplaced = () =>
  invalidInput([
    { path: "key_id", message: "was replaced already; rotate the key that replaced it, or make a new one" },
  ]);

const keyEnded = () => new Refusal("not_found", "That key has ended already, or is not one of this site.");
