import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import overview from "@/lib/operations/sites.tracking_test.overview";
import { legibleHost } from "@/lib/platform/legible-host";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { LiveTest } from "./live-test";

export const generateMetadata = (): Metadata => ({ title: t("Live test") });

export default async function TrackingPage(props: SettingsProps) {
  const { owner, site } = await openSettings("tracking", props);
  const first = await query(overview, owner, { site_id: site.site_id });
  return (
    <SettingsFrame site={site} page="tracking">
      <LiveTest siteId={site.site_id} domain={legibleHost(site.domain)} timezone={site.timezone} first={first} />
    </SettingsFrame>
  );
}
