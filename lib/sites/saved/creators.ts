import { listMembers } from "@/lib/sites/members";

/**
 * Returns the name of the person who created something: "you" for the reader, null if unknown or no longer a member.
 */
export type CreatorOf = (personId: number | null) => string | null;

/** Returns a function that names the creators of saved objects of a site for one of its members. */
export async function creatorsOf(siteId: number, readerId: number): Promise<CreatorOf> {
  const members = await listMembers(siteId);
  return (personId) => {
    if (personId === readerId) return "you";
    const creator = members.find((member) => member.personId === personId);
    return creator ? (creator.name ?? creator.email) : null;
  };
}
