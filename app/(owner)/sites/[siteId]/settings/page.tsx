import { redirect } from "next/navigation";
import { signedInOwner, siteOrNotFound } from "@/app/(owner)/access";
import { manages } from "@/lib/contract/access";

/** Redirects to the first settings page that the reader can use. */
export default async function SettingsPage({ params }: { params: Promise<{ siteId: string }> }) {
  const { siteId } = await params;
  const site = await siteOrNotFound(await signedInOwner(), siteId);
  redirect(`/sites/${site.site_id}/settings/${manages(site.role) ? "general" : "people"}`);
}
