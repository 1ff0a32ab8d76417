import type { Metadata } from "next";
import { execute } from "@/lib/gateway/execute";
import overview from "@/lib/operations/sites.tracking_test.overview";
import { legibleHost } from "@/lib/platform/legible-host";
import { principalOf } from "../../../../access";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { LiveTest } from "./live-test";

export const metadata: Metadata = { title: "Live test" };

export default async function TrackingPage(props: SettingsProps) {
  const { owner, site } = await openSettings("tracking", props);
  const call = { principal: principalOf(owner), input: { site_id: site.site_id }, now: new Date() };
  const { data } = await execute(overview, call);
  return (
    <SettingsFrame site={site} page="tracking">
      <LiveTest siteId={site.site_id} domain={legibleHost(site.domain)} timezone={site.timezone} first={data} />
    </SettingsFrame>
  );
}
