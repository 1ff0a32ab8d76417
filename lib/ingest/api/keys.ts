import { timingSafeEqual } from "node:crypto";
import { limitGuesses } from "@/lib/ingest/site/limits";
import { boundedMap } from "@/lib/platform/bounded-map";
import { Refusal } from "@/lib/platform/errors";
import type { Incoming } from "@/lib/platform/http/http";
import { describeError, log } from "@/lib/platform/log";
import { controlPool } from "@/lib/platform/pool";
import { digest } from "@/lib/platform/secrets";

/** Format of a key: a prefix and 256 random bits. */
const KEY_FORMAT = /^ffk_[A-Za-z0-9_-]{43}$/;

/** Cache time of a key, and so the delay of a revocation. */
const CACHE_MS = 5_000;
const LAST_USED_EVERY_MS = 60_000;

/** A valid key with its secret, which also signs forwarded addresses. */
interface LiveKey {
  id: number;
  siteId: number;
  secret: string;
}

/** A stored ingest key. */
interface IngestKeyRow {
  id: number;
  siteId: number;
  hash: Uint8Array;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Whether whoever made it was disabled. */
  disabled: boolean;
  lastUsedAt: Date | null;
}

interface CachedKey {
  readAt: number;
  row: Promise<IngestKeyRow | null>;
}

// Unknown keys are cached too, so that repeating one causes no more queries than a valid key.
const cache = boundedMap<string, CachedKey>("ingest-keys", { max: 20_000, ttl: 60_000 });

/**
 * Returns the ingest key of a request.
 *
 * @throws Refusal `unauthenticated` without one (RFC 6750 section 3.1), `invalid_token` for one that is unknown,
 *   expired, revoked, of a disabled person or another kind of token; `rate_limited` for an address that guesses.
 * @param onEnded called with the site id when the key no longer works.
 */
export async function requireKey(
  request: Incoming,
  caller: { address: string | null; now: Date },
  onEnded?: (siteId: number) => void,
): Promise<LiveKey> {
  const header = request.header("authorization");
  if (header === null || !/^bearer /i.test(header)) {
    throw new Refusal("unauthenticated", "Send an ingest key in the header Authorization: Bearer <key>.");
  }
  return requireLive(header.slice("bearer ".length), caller, onEnded);
}

/** Returns the ingest key of a text; see `requireKey`. */
export async function requireLive(
  text: string,
  caller: { address: string | null; now: Date },
  onEnded?: (siteId: number) => void,
): Promise<LiveKey> {
  const secret = KEY_FORMAT.test(text) ? text : null;
  const row = secret ? await readKey(secret, caller) : null;
  if (row && !isLive(row, caller.now)) onEnded?.(row.siteId);
  if (!secret || !row || !isLive(row, caller.now)) throw invalidKey();
  recordUse(row, caller.now);
  return { id: row.id, siteId: row.siteId, secret };
}

export const invalidKey = (): Refusal =>
  new Refusal(
    "invalid_token",
    "The ingest key is unknown, expired or revoked, or its maker was disabled; create one in the settings of the site, under Measurement Protocol.",
  );

/** Returns the `WWW-Authenticate` header of a 401 for a key (RFC 6750 section 3); no header for other refusals. */
export function challengeOf(error: unknown): Record<string, string> {
  if (!(error instanceof Refusal) || error.status !== 401) return {};
  const fault = error.code === "invalid_token" ? ', error="invalid_token"' : "";
  return { "www-authenticate": `Bearer realm="events"${fault}` };
}

const isLive = ({ expiresAt, revokedAt, disabled }: IngestKeyRow, now: Date): boolean =>
  revokedAt === null && !disabled && (expiresAt === null || expiresAt > now);

/** Finds a key by its digest, which reveals nothing about it, and compares it again in constant time. */
async function readKey(secret: string, caller: { address: string | null; now: Date }): Promise<IngestKeyRow | null> {
  const hash = digest(secret);
  const row = await cachedRow(hash.toString("base64"), hash, caller);
  return row && timingSafeEqual(row.hash, hash) ? row : null;
}

function cachedRow(name: string, hash: Buffer, { address, now }: { address: string | null; now: Date }) {
  const found = cache.get(name);
  const age = found ? now.getTime() - found.readAt : -1;
  if (found && age >= 0 && age < CACHE_MS) return found.row;
  // Keeps key guessing from loading the database.
  if (!found) limitGuesses(address, now);
  const row = keyByHash(hash);
  cache.set(name, { readAt: now.getTime(), row });
  row.catch(() => cache.delete(name));
  return row;
}

/** Stores when a key was last used, to the minute. Requests neither wait for it nor fail because of it. */
function recordUse(row: IngestKeyRow, now: Date): void {
  const before = new Date(now.getTime() - LAST_USED_EVERY_MS);
  if (row.lastUsedAt && row.lastUsedAt > before) return;
  row.lastUsedAt = now;
  storeKeyUse(row.id, now, before).catch((error) =>
    log.warn(describeError(error), "the last use of an ingest key was not stored"),
  );
}

/** Returns the key with a digest, or null. */
async function keyByHash(hash: Buffer): Promise<IngestKeyRow | null> {
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
async function storeKeyUse(id: number, now: Date, before: Date): Promise<void> {
  await controlPool().query({
    name: "store-key-use",
    text: "UPDATE ingest_key SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
    values: [id, now, before],
  });
}
