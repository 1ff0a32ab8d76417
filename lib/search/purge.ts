import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { ProviderFault } from "@/lib/search/faults";
import { type SearchProvider, searchClient } from "@/lib/search/providers";
import { eraseNumbers } from "@/lib/search/store/numbers";
import { openToken, revokeToken } from "@/lib/search/tokens";

/** Ends what is left of connections: deletes their numbers, and revokes their tokens at the provider. */

const LEASE_MS = 5 * 60_000;
const GIVE_UP_AFTER_MS = DAY_MS;
const RUN_MS = 30_000;

interface Left {
  id: number;
  connectionId: number | null;
  siteId: number;
  provider: SearchProvider;
  personId: number | null;
  token: Uint8Array | null;
  createdAt: Date;
}

/** Ends what is left, for at most 30 seconds. Safe to run in several processes at once. */
export async function purgeSearch(now: Date): Promise<void> {
  const until = Date.now() + RUN_MS;
  while (Date.now() < until) {
    const left = await lease(now);
    if (!left) return;
    const isErased = left.connectionId === null || (await eraseNumbers(left.connectionId, () => Date.now() < until));
    const isRevoked = left.token === null || (await revoke(left, left.token));
    const isOver = isErased && (isRevoked || now.getTime() - left.createdAt.getTime() >= GIVE_UP_AFTER_MS);
    if (isOver) await db().searchPurge.deleteMany({ where: { id: left.id } });
  }
}

/** Returns when something is left to end; null when nothing is. */
export async function nextSearchPurgeAt(): Promise<Date | null> {
  const { _min } = await db().searchPurge.aggregate({ _min: { nextAt: true } });
  return _min.nextAt;
}

async function lease(now: Date): Promise<Left | undefined> {
  const [left] = await db().$queryRaw<Left[]>`
    UPDATE search_purge SET next_at = ${new Date(now.getTime() + LEASE_MS)}
    WHERE id = (SELECT id FROM search_purge WHERE next_at <= ${now} ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, connection_id AS "connectionId", site_id AS "siteId", provider::text, person_id AS "personId", token,
      created_at AS "createdAt"`;
  return left;
}

/** Revokes a token, unless that would end another connection. @returns whether there is nothing more to do. */
async function revoke({ siteId, provider, personId }: Left, token: Uint8Array): Promise<boolean> {
  if (!searchClient(provider)) return true;
  // Google ends all tokens of an account with one of them, so other connections of its person would break.
  const sameAccount = [{ siteId }, ...(personId === null ? [] : [{ personId }])];
  const others = await db().searchConnection.count({ where: { provider, token: { not: null }, OR: sameAccount } });
  const imports = provider === "google" ? await db().importConnection.count({ where: { OR: sameAccount } }) : 0;
  if (others + imports > 0) return true;
  try {
    return await revokeToken(provider, openToken(siteId, provider, token));
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    return error.code === "unreadable";
  }
}
