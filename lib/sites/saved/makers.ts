import { listMembers } from "@/lib/sites/members";

/** Returns the name of the person who created something: "you" for the reader, null if unknown or no longer a member. */
export type MakerOf = (personId: number | null) => string | null;

/** Returns a function that names the creators of saved objects of a site for one of its members. */
export async function makersOf(siteId: number, readerId: number): Promise<MakerOf> {
  const members = await listMembers(siteId);
  return (personId) => {
    if (personId === readerId) return "you";
    const maker = members.find((member) => member.personId === personId);
    return maker ? (maker.name ?? maker.email) : null;
  };
}
