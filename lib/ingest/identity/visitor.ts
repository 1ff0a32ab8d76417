import { pseudonymOf } from "@/lib/ingest/identity/pseudonym";
import type { DaySalts } from "@/lib/ingest/identity/salts";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { boundedMap } from "@/lib/platform/bounded-map";

/**
 * A page sends several events within a minute: whom they are from is worked out once. Kept in memory alone, and deleted
 * within 15 seconds after that minute.
 */
const lately = boundedMap<string, { who: Who; salts: DaySalts }>("visitors", { max: 20_000, ttl: 60_000 });

/** Who a hit may be from. */
interface Who {
  visitors: string[];
  userHash: string | null;
}
/** By the words that tell them apart. Never kept longer than a request. */
export type KnownVisitors = Map<string, Who>;

/**
 * Who the sender of a hit may be. A visitor is an HMAC of address and user agent under a random salt of the site's
 * own local day; once the salt is destroyed nobody can tell who it was. With `userId` the visitor is the sender's own
 * pseudonym first, and a `sessionId` of the sender's comes before the address, for that day. The ids that a declared bot
 * sends are its own and never lead to a person. Ids are the decimal text of 64-bit integers.
 *
 * @param salts of that day: see `saltsFor`.
 * @param address null when the sender is no browser. Without the other two the user agent alone tells them apart then,
 *   and who has one of the two is never taken for those who have none.
 */
export function visitorsOf(site: IngestSite, salts: DaySalts, sender: Sender, known?: KnownVisitors): Who {
  if (!known) return recall(site, sender, salts);
  const { address, userAgent, isBot, userId, sessionId = null } = sender;
  // No text that was sent holds U+0000.
  const words = `${isBot}\0${address ?? ""}\0${userAgent}\0${userId === null ? "" : `u${userId}`}\0${sessionId === null ? "" : `s${sessionId}`}`;
  const who = known.get(words) ?? workOut(site, sender, salts);
  known.set(words, who);
  return who;
}

/** Whoever says who they are is worked out each time. */
function recall(site: IngestSite, sender: Sender, salts: DaySalts): Who {
  if (sender.userId !== null || sender.sessionId) return workOut(site, sender, salts);
  const name = `${site.id}|${sender.address ?? ""}|${sender.userAgent}`;
  const before = lately.get(name);
  if (before?.salts === salts) return before.who;
  const who = workOut(site, sender, salts);
  lately.set(name, { who, salts });
  return who;
}

interface Sender {
  address: string | null;
  userAgent: string;
  /** Its user agent names a bot or an AI agent. */
  isBot: boolean;
  userId: string | null;
  sessionId?: string | null;
}

function workOut(site: IngestSite, sender: Sender, salts: DaySalts): Who {
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
