import { redirect } from "next/navigation";
import { ROLES } from "@/lib/contract/vocabulary";
import { siteOrNotFound, thisOwner } from "../../../access";

/** The first page on which whoever looks has something to do. */
export default async function SettingsPage({ params }: { params: Promise<{ siteId: string }> }) {
  const { siteId } = await params;
  const site = await siteOrNotFound(await thisOwner(`/sites/${siteId}/settings`), siteId);
  const manages = ROLES[site.role].rank >= ROLES.manager.rank;
  redirect(`/sites/${site.site_id}/settings/${manages ? "general" : "people"}`);
}
