import spam from "@/lib/ingest/enrich/data/referrer-spam.json";
import moreSpam from "@/lib/ingest/enrich/data/referrer-spam-more.json";
import { ownLists } from "@/lib/ingest/enrich/own-lists";

/** Referrer spam: a public list, and domains that it does not have. */

const SPAMMERS: ReadonlySet<string> = new Set([...spam.entries, ...moreSpam.entries]);

/** Returns the known spam domain that a host belongs to, or null. */
export function spammerOf(host: string): string | null {
  for (let name = host; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    if (SPAMMERS.has(name) || ownLists().spam.has(name)) return name;
  }
  return null;
}
