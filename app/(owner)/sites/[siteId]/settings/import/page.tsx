import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import sitesAliasesList from "@/lib/operations/sites.aliases.list";
import sitesImportsList from "@/lib/operations/sites.imports.list";
import sitesImportsProperties from "@/lib/operations/sites.imports.properties";
import { legibleHost } from "@/lib/platform/legible-host";
import { localDay } from "@/lib/platform/time";
import { t } from "@/lib/texts/translate";
import { ComingFromUmami } from "../../install/coming-from-umami";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { WayBack } from "../search/way-back";
import { GoogleAnalytics } from "./google-analytics";
import { ImportFiles } from "./import-files";
import { Imports } from "./imports";

export const generateMetadata = (): Metadata => ({ title: t("Import") });

interface Props extends SettingsProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ImportPage(props: Props) {
  const { owner, site } = await openSettings("import", props);
  const { imports, runs } = await query(sitesImportsList, owner, { site_id: site.site_id });
  const { state, properties } = await query(sitesImportsProperties, owner, { site_id: site.site_id });
  const { aliases } = await query(sitesAliasesList, owner, { site_id: site.site_id });
  const { outcome } = await props.searchParams;
  const [latest = null] = runs;
  const lastDay = localDay(new Date(), site.timezone).subtract({ days: 1 }).toString();
  return (
    <SettingsFrame site={site} page="import">
      {typeof outcome === "string" && (
        <WayBack outcome={outcome} name="Google Analytics" property={null} domain={site.domain} isImport />
      )}
      <ImportFiles
        key={latest?.import_id}
        siteId={site.site_id}
        domain={legibleHost(site.domain)}
        imports={imports}
        latest={latest}
      />
      <GoogleAnalytics
        siteId={site.site_id}
        state={state}
        properties={properties}
        lastDay={lastDay}
        isBusy={runs.some((run) => run.state === "fetching")}
      />
      <Imports siteId={site.site_id} domain={legibleHost(site.domain)} imports={imports} />
      <ComingFromUmami siteId={site.site_id} ids={aliases.map(({ alias }) => alias)} />
    </SettingsFrame>
  );
}
