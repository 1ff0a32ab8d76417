import { z } from "zod";
import type { SiteAccess, Work } from "@/lib/contract/define";
import { about, keyId, untrusted } from "@/lib/contract/fields";
import { type Db, db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { digest, freshSecret } from "@/lib/platform/secrets";

/** Ingest keys, with which servers send events for a site. */

const MAX_KEYS = 20;
/** Including keys that expire soon, such as replaced keys during their overlap. */
const MAX_VALID_KEYS = 2 * MAX_KEYS;
/** How long a replaced key can stay valid. */
export const LONGEST_OVERLAP_HOURS = 7 * 24;
const HINT_LENGTH = 4;

const expiresAt = about(z.iso.datetime().nullable(), "Null for never", "2027-11-20T09:30:00Z");

/** A key in API responses. */
export const keyShape = z
  .object({
    key_id: keyId,
    name: untrusted.meta({ examples: ["Shop server"] }),
    hint: about(z.string(), "The last four characters of the key", "Qm7x"),
    created_at: z.iso.datetime(),
    expires_at: expiresAt,
    last_used_at: about(
      z.iso.datetime().nullable(),
      "Accurate to the minute; null if it was never used",
      "2026-11-20T09:42:00Z",
    ),
  })
  .meta({ id: "IngestKey" });

/** A new key with its secret, which no later call returns: the server stores a digest. */
export const newKeyShape = z.object({
  key_id: keyId,
  key: about(z.string(), "Bearer token for /api/v1/events", "ffk_w8RkT2nZ5vB9xL0cYd3hJfQm7x"),
  expires_at: expiresAt,
});
export type NewKey = z.infer<typeof newKeyShape>;

/** A key as shown in the settings of the site. */
export interface KeyRow {
  id: number;
  name: string;
  hint: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** The locked site that a caller with permission changes. */
type Changing = Pick<Work<unknown, Pick<SiteAccess, "id">>, "db" | "site" | "principal" | "now">;

const notRevoked = (siteId: number) => ({ siteId, revokedAt: null });
const valid = (siteId: number, now: Date) => ({
  ...notRevoked(siteId),
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});
/** Keys that stay valid for longer than an overlap, which excludes replaced keys. */
const longLived = (siteId: number, now: Date) =>
  valid(siteId, new Date(now.getTime() + LONGEST_OVERLAP_HOURS * 3600_000));

const KEY_FIELDS = { id: true, name: true, hint: true, createdAt: true, expiresAt: true, lastUsedAt: true } as const;

/** Lists the keys of a site that were not revoked, including expired ones, newest first. */
export function listKeys(siteId: number, on: Db = db()): Promise<KeyRow[]> {
  return on.ingestKey.findMany({
    where: notRevoked(siteId),
    select: KEY_FIELDS,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}

export const describeKey = ({ id, name, hint, ...row }: KeyRow): z.input<typeof keyShape> => ({
  key_id: id,
  name,
  hint,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt?.toISOString() ?? null,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
});

/** Formats a key for approval requests, such as "Shop (ffk_…a1b2)". */
export const keyLabel = ({ name, hint }: Pick<KeyRow, "name" | "hint">): string => `${name} (ffk_…${hint})`;

/**
 * Creates a key.
 *
 * @param days until it expires; null for never
 * @throws Refusal see `requireRoomForKey`
 */
export async function createKey(work: Changing, name: string, days: number | null): Promise<NewKey> {
  await requireRoomForKey(work);
  const expiresAt = days === null ? null : new Date(work.now.getTime() + days * DAY_MS);
  return addKey(work, { name, expiresAt });
}

/** Checks the limit of keys. @throws Refusal `invalid_input` beyond 20 keys, not counting those that expire soon */
export async function requireRoomForKey({ db, site, now }: Changing): Promise<void> {
  const count = await db.ingestKey.count({ where: longLived(site.id, now) });
  if (count >= MAX_KEYS) throw tooManyKeys(MAX_KEYS, "name");
  await requireRoomAmongValid({ db, site, now }, "name");
}

async function requireRoomAmongValid({ db, site, now }: Omit<Changing, "principal">, field: string): Promise<void> {
  const count = await db.ingestKey.count({ where: valid(site.id, now) });
  if (count >= MAX_VALID_KEYS) throw tooManyKeys(MAX_VALID_KEYS, field);
}

/**
 * Replaces a key with a new one of the same name and lifetime. The old key expires after the overlap, or earlier if it
 * would have expired anyway. Also works at the limit of keys, because the replaced key does not count.
 *
 * @returns the new key, and when the old one expires
 * @throws Refusal see `rotatableKey`
 */
export async function rotateIngestKey(
  work: Changing,
  keyId: number,
  overlapHours: number,
): Promise<NewKey & { previousUntil: Date }> {
  const { db, site, now } = work;
  const old = await rotatableKey(work, keyId);
  const overlapEnd = new Date(now.getTime() + overlapHours * 3600_000);
  const previousUntil = old.expiresAt && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
  const lifetimeMs = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
  const expiresAt = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs);
  await db.ingestKey.update({ where: { id: old.id, siteId: site.id }, data: { expiresAt: previousUntil } });
  return { ...(await addKey(work, { name: old.name, expiresAt })), previousUntil };
}

/**
 * Returns a key that can be rotated.
 *
 * @throws Refusal `not_found` for a key that is not valid, `invalid_input` for one that was already replaced or if too
 *   many keys are valid
 */
export async function rotatableKey({ db, site, now }: Changing, keyId: number): Promise<KeyRow> {
  const old = await db.ingestKey.findFirst({ where: { id: keyId, ...valid(site.id, now) }, select: KEY_FIELDS });
  if (!old) throw keyNotFound();
  if (await wasReplaced(db, site.id, keyId, now)) throw keyReplaced();
  await requireRoomAmongValid({ db, site, now }, "key_id");
  return old;
}

/** Revokes a key; takes effect in all processes within seconds. @throws Refusal see `revocableKey` */
export async function revokeKey(work: Changing, keyId: number): Promise<void> {
  const { id } = await revocableKey(work, keyId);
  await work.db.ingestKey.update({ where: { id, siteId: work.site.id }, data: { revokedAt: work.now } });
}

/** Returns a key that can be revoked, even if expired. @throws Refusal `not_found` if it was already revoked */
export async function revocableKey({ db, site }: Changing, keyId: number): Promise<KeyRow> {
  const key = await db.ingestKey.findFirst({ where: { id: keyId, ...notRevoked(site.id) }, select: KEY_FIELDS });
  if (!key) throw keyNotFound();
  return key;
}

/** Names of a rotation in the audit log: the current one, and the one used before rotations were operations. */
const ROTATIONS = ["sites.keys.rotate", "keys.rotate"];

/** Returns whether a valid key was already replaced, according to the audit log of the maximum overlap. */
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
  new Refusal("invalid_input", `A site has at most ${most} keys. Revoke an unused key first.`, {
    issues: [{ path: field, message: `exceeds the limit of ${most} keys per site; revoke one first` }],
  });

const keyReplaced = () =>
  invalidInput([{ path: "key_id", message: "was already replaced; rotate its replacement, or create a new key" }]);

const keyNotFound = () => new Refusal("not_found", "This key does not exist, has expired or was revoked.");
