import { redirect } from "next/navigation";
import { manages } from "@/lib/contract/vocabulary";
import { signedInOwner, siteOrNotFound } from "../../../access";

/** The first page on which whoever looks has something to do. */
export default async function SettingsPage({ params }: { params: Promise<{ siteId: string }> }) {
  const { siteId } = await params;
  const site = await siteOrNotFound(await signedInOwner(`/sites/${siteId}/settings`), siteId);
  redirect(`/sites/${site.site_id}/settings/${manages(site.role) ? "general" : "people"}`);
}
