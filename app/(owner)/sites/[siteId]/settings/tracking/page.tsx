import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { manages } from "@/lib/contract/vocabulary";
import { execute } from "@/lib/gateway/execute";
import overview from "@/lib/operations/sites.tracking_test.overview";
import { principalOf, signedInOwner, siteOrNotFound } from "../../../../access";
import { SettingsFrame } from "../frame";
import { LiveTest } from "./live-test";

export const metadata: Metadata = { title: "Live test" };

export default async function TrackingPage({ params }: { params: Promise<{ siteId: string }> }) {
  const { siteId } = await params;
  const owner = await signedInOwner(`/sites/${siteId}/settings/tracking`);
  const site = await siteOrNotFound(owner, siteId);
  if (!manages(site.role)) notFound();
  const call = { principal: principalOf(owner), input: { site_id: site.site_id }, now: new Date() };
  const { data } = await execute(overview, call);
  return (
    <SettingsFrame site={site} page="tracking">
      <LiveTest siteId={site.site_id} domain={site.domain} timezone={site.timezone} first={data} />
    </SettingsFrame>
  );
}
