import { timingSafeEqual } from "node:crypto";
import { limitGuesses } from "@/lib/ingest/site/limits";
import { boundedMap } from "@/lib/platform/bounded-map";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import type { Incoming } from "@/lib/platform/http/http";
import { describeError, log } from "@/lib/platform/log";
import { digest } from "@/lib/platform/secrets";

/** What a key looks like: 256 random bits after its prefix. */
const FORM = /^bearer (ffk_[A-Za-z0-9_-]{43})$/i;

/** A key is read anew after this long at most: that is how soon a revocation bites. */
const KNOWN_MS = 5_000;
const LAST_USED_EVERY_MS = 60_000;

/** A key that is good at this moment, and the secret itself, with which its owner signs. */
export interface LiveKey {
  id: number;
  siteId: number;
  secret: string;
}

interface Row {
  id: number;
  siteId: number;
  hash: Uint8Array;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

interface Known {
  readAt: number;
  row: Promise<Row | null>;
}

// What is no key is remembered too: whoever repeats one asks the database no more often than its owner would.
const cache = boundedMap<string, Known>("ingest-keys", { max: 20_000, ttl: 60_000 });

/**
 * The ingest key that a request carries.
 *
 * @throws Refusal `unauthenticated` without one (RFC 6750 section 3.1), `invalid_token` for one that is unknown, expired
 *   or revoked, or is another kind of token; `rate_limited` for an address that guesses.
 * @param ended told of the site whose key it was, when it has ended.
 */
export async function requireKey(
  request: Incoming,
  caller: { address: string | null; now: Date },
  ended?: (siteId: number) => void,
): Promise<LiveKey> {
  const header = request.header("authorization");
  if (header === null || !/^bearer /i.test(header)) {
    throw new Refusal("unauthenticated", "Send an ingest key in the header Authorization: Bearer <key>.");
  }
  const secret = FORM.exec(header)?.[1];
  const row = secret ? await readKey(secret, caller) : null;
  if (row && !isLive(row, caller.now)) ended?.(row.siteId);
  if (!secret || !row || !isLive(row, caller.now)) throw noSuchKey();
  noteUse(row, caller.now);
  return { id: row.id, siteId: row.siteId, secret };
}

export const noSuchKey = (): Refusal =>
  new Refusal(
    "invalid_token",
    "This is no ingest key, or it has expired or was revoked; make one in the settings of the site, under Measurement Protocol.",
  );

/** What a 401 for a key says of itself (RFC 6750 section 3); nothing for any other refusal. */
export function challengeOf(error: unknown): Record<string, string> {
  if (!(error instanceof Refusal) || error.status !== 401) return {};
  const fault = error.code === "invalid_token" ? ', error="invalid_token"' : "";
  return { "www-authenticate": `Bearer realm="events"${fault}` };
}

const isLive = ({ expiresAt, revokedAt }: Row, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** The row of a key. Found by its digest, which tells nobody anything; compared once more in constant time. */
async function readKey(secret: string, caller: { address: string | null; now: Date }): Promise<Row | null> {
  const hash = digest(secret);
  const row = await known(hash.toString("base64"), hash, caller);
  return row && timingSafeEqual(row.hash, hash) ? row : null;
}

function known(name: string, hash: Buffer, { address, now }: { address: string | null; now: Date }) {
  const found = cache.get(name);
  const age = found ? now.getTime() - found.readAt : -1;
  if (found && age >= 0 && age < KNOWN_MS) return found.row;
  // Whoever guesses keys must not be able to keep the database busy.
  if (!found) limitGuesses(address, now);
  const row: Promise<Row | null> = db().ingestKey.findUnique({ where: { hash: new Uint8Array(hash) } });
  cache.set(name, { readAt: now.getTime(), row });
  row.catch(() => cache.delete(name));
  return row;
}

/** When a key was last used, to the minute. Nobody waits for it, and no event fails by it. */
function noteUse(row: Row, now: Date): void {
  const before = new Date(now.getTime() - LAST_USED_EVERY_MS);
  if (row.lastUsedAt && row.lastUsedAt > before) return;
  row.lastUsedAt = now;
  db()
    .ingestKey.updateMany({
      where: { id: row.id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] },
      data: { lastUsedAt: now },
    })
    .catch((error) => log.warn(describeError(error), "the last use of an ingest key was not noted"));
}
