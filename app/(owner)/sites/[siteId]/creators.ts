import type { CreatorOf } from "@/components/reports/definition";
import sitesMembersList from "@/lib/operations/sites.members.list";
import { t } from "@/lib/texts/translate";
import { query } from "../../access";

/** Returns a function that names the creators of saved objects of a site for one of its members. */
export async function creatorsOf(siteId: number, readerId: number): Promise<CreatorOf> {
  const { members } = await query(sitesMembersList, { personId: readerId }, { site_id: siteId });
  return (personId) => {
    if (personId === readerId) return t("you");
    const creator = members.find((member) => member.person_id === personId);
    return creator ? (creator.name ?? creator.email) : null;
  };
}
