import { db } from "@/lib/db";

/**
 * Whether this is the first account of the service: whoever made it runs it, and alone sees the page about all of it.
 * Nobody inherits that, since the first account is deleted only as the last one.
 */
export async function isFirstAccount(personId: number): Promise<boolean> {
  return (await db().person.findFirst({ orderBy: { id: "asc" }, select: { id: true } }))?.id === personId;
}
