import { z } from "zod";
import type { SiteAccess, Work } from "@/lib/contract/define";
import { keyId, untrusted } from "@/lib/contract/fields";
import { type Db, db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { digest, freshSecret } from "@/lib/platform/secrets";

/** The keys with which servers send events of a site. */

const DAY_MS = 24 * 3600_000;
const MOST_KEYS = 20;
/** Together with those that were replaced and work on for their overlap, or end as soon anyway. */
const MOST_LIVE_KEYS = 2 * MOST_KEYS;
/** How long a key may work on beside the one that replaces it. */
export const LONGEST_OVERLAP_HOURS = 7 * 24;
const HINT_LENGTH = 4;

/** A key as operations answer it. */
export const keyShape = z
  .object({
    key_id: keyId,
    name: untrusted,
    hint: z.string().meta({ description: "The last four characters of the key" }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable().meta({ description: "Null for never" }),
    last_used_at: z.iso.datetime().nullable().meta({ description: "To the minute; null when it was never used" }),
  })
  .meta({ id: "IngestKey" });

/** A new key as the operation that makes it answers it, this once. The server keeps only its digest. */
export const newKeyShape = z.object({
  key_id: keyId,
  key: z.string().meta({ description: "The bearer of /api/v1/events; shown this once" }),
  expires_at: z.iso.datetime().nullable().meta({ description: "Null for never" }),
});
export type NewKey = z.infer<typeof newKeyShape>;

/** A key as the people of its site see it. */
export interface KeyRow {
  id: number;
  name: string;
  hint: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** What a change of keys is given: it holds the site, and its caller may change it. */
type Changing = Pick<Work<unknown, Pick<SiteAccess, "id">>, "db" | "site" | "principal" | "now">;

const notRevoked = (siteId: number) => ({ siteId, revokedAt: null });
const live = (siteId: number, now: Date) => ({
  ...notRevoked(siteId),
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});
/** Live, and not about to end as a key does that was replaced. */
const lasting = (siteId: number, now: Date) => live(siteId, new Date(now.getTime() + LONGEST_OVERLAP_HOURS * 3600_000));

const KEY_FIELDS = { id: true, name: true, hint: true, createdAt: true, expiresAt: true, lastUsedAt: true } as const;

/** The keys of a site that nobody has revoked, newest first; those that have expired among them. */
export function listKeys(siteId: number, on: Db = db()): Promise<KeyRow[]> {
  return on.ingestKey.findMany({
    where: notRevoked(siteId),
    select: KEY_FIELDS,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}

export const describeKey = ({ id, name, hint, ...row }: KeyRow): z.input<typeof keyShape> => ({
  ...{ key_id: id, name, hint },
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt?.toISOString() ?? null,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
});

/** A key in words, for the human who is asked about it. */
export const keyInWords = ({ name, hint }: Pick<KeyRow, "name" | "hint">): string => `${name} (ffk_…${hint})`;

/**
 * Makes a key.
 *
 * @param days after which it expires; null for never.
 * @throws Refusal as `requireRoomForKey` does.
 */
export async function createKey(work: Changing, name: string, days: number | null): Promise<NewKey> {
  await requireRoomForKey(work);
  const expiresAt = days === null ? null : new Date(work.now.getTime() + days * DAY_MS);
  return addKey(work, { name, expiresAt });
}

/** @throws Refusal `invalid_input` beyond twenty keys, not counting those that are about to end. */
export async function requireRoomForKey({ db, site, now }: Changing): Promise<void> {
  const kept = await db.ingestKey.count({ where: lasting(site.id, now) });
  if (kept >= MOST_KEYS) throw tooManyKeys(MOST_KEYS, "name");
  await requireRoomAmongLive({ db, site, now }, "name");
}

async function requireRoomAmongLive({ db, site, now }: Omit<Changing, "principal">, field: string): Promise<void> {
  const alive = await db.ingestKey.count({ where: live(site.id, now) });
  if (alive >= MOST_LIVE_KEYS) throw tooManyKeys(MOST_LIVE_KEYS, field);
}

/**
 * Replaces a key: a new one of the same name and span of life is made, and the old one ends after the overlap, or when it
 * would have ended anyway. At the limit of keys too: it stays one key, and what replaces it may be replaced.
 *
 * @returns the new key, and when the old one ends.
 * @throws Refusal as `rotatableKey` does.
 */
export async function rotateKey(
  work: Changing,
  keyId: number,
  overlapHours: number,
): Promise<NewKey & { previousUntil: Date }> {
  const { db, site, now } = work;
  const old = await rotatableKey(work, keyId);
  const ends = new Date(now.getTime() + overlapHours * 3600_000);
  const previousUntil = old.expiresAt && old.expiresAt < ends ? old.expiresAt : ends;
  const spanMs = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
  const expiresAt = spanMs === null ? null : new Date(now.getTime() + spanMs);
  await db.ingestKey.update({ where: { id: old.id, siteId: site.id }, data: { expiresAt: previousUntil } });
  return { ...(await addKey(work, { name: old.name, expiresAt })), previousUntil };
}

/**
 * The key that is to be replaced.
 *
 * @throws Refusal `not_found` for a key that has ended already, `invalid_input` for one that was replaced already (what is
 *   left of its life is only the overlap) and when twenty more are about to end.
 */
export async function rotatableKey({ db, site, now }: Changing, keyId: number): Promise<KeyRow> {
  const old = await db.ingestKey.findFirst({ where: { id: keyId, ...live(site.id, now) }, select: KEY_FIELDS });
  if (!old) throw keyEnded();
  if (await wasReplaced(db, site.id, keyId, now)) throw keyReplaced();
  await requireRoomAmongLive({ db, site, now }, "key_id");
  return old;
}

/** Ends a key, within seconds everywhere. @throws Refusal as `revocableKey` does. */
export async function revokeKey(work: Changing, keyId: number): Promise<void> {
  const { id } = await revocableKey(work, keyId);
  await work.db.ingestKey.update({ where: { id, siteId: work.site.id }, data: { revokedAt: work.now } });
}

/** The key that is to end, which may have expired. @throws Refusal `not_found` for one that was revoked already. */
export async function revocableKey({ db, site }: Changing, keyId: number): Promise<KeyRow> {
  const key = await db.ingestKey.findFirst({ where: { id: keyId, ...notRevoked(site.id) }, select: KEY_FIELDS });
  if (!key) throw keyEnded();
  return key;
}

/** What the audit calls a rotation, and what it called one before rotations were operations. */
const ROTATIONS = ["sites.keys.rotate", "keys.rotate"];

/** Whether a live key has been replaced: by the audit, and no longer ago than an overlap may last. */
async function wasReplaced(tx: Db, siteId: number, keyId: number, now: Date): Promise<boolean> {
  const at = { gte: new Date(now.getTime() - LONGEST_OVERLAP_HOURS * 3600_000) };
  const detail = { path: ["key_id"], equals: keyId };
  return (await tx.audit.findFirst({ where: { siteId, operation: { in: ROTATIONS }, at, detail } })) !== null;
}

async function addKey(
  { db, site, principal, now }: Changing,
  { name, expiresAt }: { name: string; expiresAt: Date | null },
): Promise<NewKey> {
  const key = `ffk_${freshSecret()}`;
  const { id } = await db.ingestKey.create({
    data: {
      siteId: site.id,
      name,
      hash: new Uint8Array(digest(key)),
      hint: key.slice(-HINT_LENGTH),
      createdById: principal.personId,
      createdAt: now,
      expiresAt,
    },
  });
  return { key_id: id, key, expires_at: expiresAt?.toISOString() ?? null };
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
