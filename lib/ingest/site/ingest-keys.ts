import { controlPool } from "@/lib/platform/pool";

/** A stored ingest key. */
export interface IngestKeyRow {
  id: number;
  siteId: number;
  hash: Uint8Array;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Whether whoever made it was disabled. */
  disabled: boolean;
  lastUsedAt: Date | null;
}

/** Returns the key with a digest, or null. */
export async function keyByHash(hash: Buffer): Promise<IngestKeyRow | null> {
  const { rows } = await controlPool().query<IngestKeyRow>({
    name: "ingest-key-by-hash",
    text: `SELECT id, site_id AS "siteId", hash, expires_at AS "expiresAt", revoked_at AS "revokedAt",
             last_used_at AS "lastUsedAt",
             EXISTS (SELECT FROM person WHERE id = created_by_id AND disabled_at IS NOT NULL) AS disabled
           FROM ingest_key WHERE hash = $1`,
    values: [hash],
  });
  return rows[0] ?? null;
}

/** Stores when a key was last used, unless it was used after `before`. */
export async function storeKeyUse(id: number, now: Date, before: Date): Promise<void> {
  await controlPool().query({
    name: "store-key-use",
    text: "UPDATE ingest_key SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
    values: [id, now, before],
  });
}
