import { createHmac } from "node:crypto";
import { IN_MEMORY_SECONDS } from "@/lib/contract/storage-times";
import type { ReturningVisitor } from "@/lib/ingest/event/decided-event";
import type { DaySalts } from "@/lib/ingest/identity/salts";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { boundedMap } from "@/lib/platform/bounded-map";
import { localDay } from "@/lib/platform/time";

/**
 * Identities computed in the last minute, because a page sends several events in a row. Held in memory only, and
 * deleted within 15 seconds after that minute.
 */
const recentIdentities = boundedMap<string, { identity: Pseudonyms; salts: DaySalts }>("visitors", {
  max: 20_000,
  ttl: IN_MEMORY_SECONDS * 1000,
});

/** The possible senders of an event. */
interface Pseudonyms {
  visitors: string[];
  userHash: string | null;
}
/** Identities of one request, by sender. Never kept longer than the request. */
export type IdentityCache = Map<string, Pseudonyms>;

/**
 * Returns the pseudonyms that the sender of an event may have. A visitor is an HMAC of address and user agent under a
 * random salt of the site's local day; once the salt is deleted, the pseudonym can no longer be linked to a person.
 * With `userId`, the pseudonym of that id comes first; a `sessionId` comes before the address, for that day. The ids
 * that a declared bot sends never match those of a person. Pseudonyms are decimal text of 64-bit integers.
 *
 * @param salts of that day: see `saltsFor`.
 * @param address null when the sender is not a browser. Without a user or session id, the user agent alone identifies
 *   the sender then, such as a crawler; a sender with an id never matches one without.
 */
export function visitorsOf(
  site: IngestSite,
  salts: DaySalts | null,
  sender: Identifiers,
  cache?: IdentityCache,
): Pseudonyms {
  if (!salts) return unsaltedIdentity(site, sender);
  if (!cache) return cachedIdentity(site, sender, salts);
  const { address, userAgent, isBot, userId, sessionId = null } = sender;
  // Text in requests never contains U+0000. Events of one request may be of two days.
  const key = `${salts.today.toString("latin1")}\0${isBot}\0${address ?? ""}\0${userAgent}\0${userId === null ? "" : `u${userId}`}\0${sessionId === null ? "" : `s${sessionId}`}`;
  const identity = cache.get(key) ?? computeIdentity(site, sender, salts);
  cache.set(key, identity);
  return identity;
}

/** Senders with a user or session id are not cached. */
function cachedIdentity(site: IngestSite, sender: Identifiers, salts: DaySalts): Pseudonyms {
  if (sender.userId !== null || sender.sessionId) return computeIdentity(site, sender, salts);
  const name = `${site.id}|${sender.address ?? ""}|${sender.userAgent}`;
  const cached = recentIdentities.get(name);
  if (cached?.salts === salts) return cached.identity;
  const identity = computeIdentity(site, sender, salts);
  recentIdentities.set(name, { identity, salts });
  return identity;
}

/** Only the pseudonym of a user id needs no salt. The ids that bots send need one. */
function unsaltedIdentity(site: IngestSite, { userId, isBot }: Identifiers): Pseudonyms {
  const userHash = userId === null ? null : pseudonymOf(site.userKey(), userId);
  return { visitors: userHash === null || isBot ? [] : [userHash], userHash };
}

interface Identifiers {
  address: string | null;
  userAgent: string;
  /** Whether its user agent names a bot or an AI agent. */
  isBot: boolean;
  userId: string | null;
  sessionId?: string | null;
}

function computeIdentity(site: IngestSite, sender: Identifiers, salts: DaySalts): Pseudonyms {
  const userHash = sender.userId === null ? null : pseudonymOf(site.userKey(), sender.userId);
  const { address, userAgent, isBot, userId, sessionId = null } = sender;
  const visitors = userHash === null || isBot ? [] : [userHash];
  const names = isBot && userId !== null ? [`${site.id}|bot user|${userId}`] : [];
  if (sessionId !== null) names.push(`${site.id}|${isBot ? "bot session" : "session"}|${sessionId}`);
  if (address !== null || (userHash === null && sessionId === null)) {
    names.push(`${site.id}|${address ?? ""}|${userAgent}`);
  }
  for (const name of names) {
    visitors.push(pseudonymOf(salts.today, name));
    if (salts.yesterday) visitors.push(pseudonymOf(salts.yesterday, name));
  }
  return { visitors, userHash };
}

/** Returns the sender's pseudonym under the month's salt, or null for a sender without address and user id. */
export function returningVisitorOf(
  site: IngestSite,
  salt: Buffer,
  { address, userAgent, userId }: { address: string | null; userAgent: string; userId: string | null },
  at: Date,
): ReturningVisitor | null {
  if (address === null && userId === null) return null;
  const day = localDay(at, site.timezone);
  const name = userId === null ? `${site.id}|${address}|${userAgent}` : `${site.id}|user|${userId}`;
  return { pseudonym: pseudonymOf(salt, name), month: day.with({ day: 1 }).toString(), day: day.toString() };
}

/** Returns the first eight bytes of an HMAC-SHA256 as decimal text of a signed 64-bit integer. */
export const pseudonymOf = (key: Buffer, text: string): string =>
  createHmac("sha256", key).update(text).digest().readBigInt64BE(0).toString();
