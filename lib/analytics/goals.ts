import { db } from "@/lib/db";

/** What a site wants its visitors to do: an event by its name, or a page by its path pattern. */
export interface Goal {
  name: string;
  kind: "event" | "page";
  /** The event's name, or a path pattern with `*` and `**`. */
  pattern: string;
}

/** A site's goal; a name that no goal has is that of an event. */
export async function goalNamed(siteId: number, name: string): Promise<Goal> {
  const goal = await db().goal.findUnique({ where: { siteId_name: { siteId, name } } });
  return goal ?? { name, kind: "event", pattern: name };
}
