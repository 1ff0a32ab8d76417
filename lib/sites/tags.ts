import type { Db } from "@/lib/platform/db";
import { canonicalTag } from "@/lib/sites/access";

/** A person's own tags of their sites. */

/** Sets a member's tags of a site. @returns them as they are stored: in lower case, in order, each once */
export async function setTags(tx: Db, siteId: number, personId: number, typed: readonly string[]): Promise<string[]> {
  const tags = [...new Set(typed.map(canonicalTag))].sort();
  await tx.membership.updateMany({ where: { siteId, personId }, data: { tags } });
  return tags;
}
