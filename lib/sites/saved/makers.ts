import { listMembers } from "@/lib/sites/members";

/** Who made something: "you" for whoever reads it; null when nobody knows, or they are not of the site any more. */
export type MakerOf = (personId: number | null) => string | null;

/** The makers of what a site has saved, as one of its members reads of them. */
export async function makersOf(siteId: number, readerId: number): Promise<MakerOf> {
  const members = await listMembers(siteId);
  return (personId) => {
    if (personId === readerId) return "you";
    const maker = members.find((member) => member.personId === personId);
    return maker ? (maker.name ?? maker.email) : null;
  };
}
