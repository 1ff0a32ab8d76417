import { notFound } from "next/navigation";
import { signedInOwner, siteOrNotFound } from "@/app/(owner)/access";
import { SETTINGS_ROLES } from "@/app/(owner)/settings-roles";
import { type SettingsKey, settingsPagesOf } from "@/components/shell/settings-pages";

export interface SettingsProps {
  params: Promise<{ siteId: string }>;
}

/** Returns the reader and the site of a settings page. Shows "not found" if the reader's role does not see the page. */
export async function openSettings(page: SettingsKey, { params }: SettingsProps) {
  const { siteId } = await params;
  const owner = await signedInOwner();
  const site = await siteOrNotFound(owner, siteId);
  if (!settingsPagesOf(site.site_id, site.role, SETTINGS_ROLES).some(({ key }) => key === page)) notFound();
  return { owner, site };
}
