import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { When } from "@/components/ui/when";
import { manages } from "@/lib/contract/access";
import sitesSearchEnginesList from "@/lib/operations/sites.search_engines.list";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { Connection } from "./connection";
import { WayBack } from "./way-back";

export const generateMetadata = (): Metadata => ({ title: t("Search engines") });

interface Props extends SettingsProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SearchPage(props: Props) {
  const { owner, site } = await openSettings("search", props);
  const now = new Date();
  const { connections } = await query(sitesSearchEnginesList, owner, { site_id: site.site_id }, now);
  const { provider, outcome } = await props.searchParams;
  const back = connections.find((one) => one.provider === provider);
  const shown = (at: string | null) => at && <When at={new Date(at)} now={now} />;
  return (
    <SettingsFrame site={site} page="search">
      {back && typeof outcome === "string" && (
        <WayBack outcome={outcome} name={back.name} property={back.property} domain={site.domain} />
      )}
      {connections.map(({ connected_at, fetched_at, next_fetch_at, ...connection }) => (
        <Connection
          key={connection.provider}
          siteId={site.site_id}
          connection={connection}
          connected={shown(connected_at)}
          fetched={shown(fetched_at)}
          // Before the first fetch has ended, this is when another process may take it over.
          next={fetched_at && shown(next_fetch_at)}
          mayConnect={site.role === "owner"}
          mayFetch={manages(site.role)}
        />
      ))}
    </SettingsFrame>
  );
}
