import { redirect } from "next/navigation";

export default async function SettingsPage({ params }: { params: Promise<{ siteId: string }> }) {
  redirect(`/sites/${encodeURIComponent((await params).siteId)}/settings/people`);
}
