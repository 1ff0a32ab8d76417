import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import sitesImportsList from "@/lib/operations/sites.imports.list";
import { legibleHost } from "@/lib/platform/legible-host";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { ImportFiles } from "./import-files";
import { Imports } from "./imports";

export const metadata: Metadata = { title: "Import" };

export default async function ImportPage(props: SettingsProps) {
  const { owner, site } = await openSettings("import", props);
  const { imports, runs } = await query(sitesImportsList, owner, { site_id: site.site_id });
  const [latest = null] = runs;
  return (
    <SettingsFrame site={site} page="import">
      <ImportFiles key={latest?.import_id} siteId={site.site_id} latest={latest} />
      <Imports siteId={site.site_id} domain={legibleHost(site.domain)} imports={imports} />
    </SettingsFrame>
  );
}
