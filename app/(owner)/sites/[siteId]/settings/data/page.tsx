import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { ButtonLink } from "@/components/ui/button-link";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { TextLink } from "@/components/ui/text-link";
import sitesImportsList from "@/lib/operations/sites.imports.list";
import sitesRetentionGet from "@/lib/operations/sites.retention.get";
import { legibleHost } from "@/lib/platform/legible-host";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { ExportForm, ExportTotals } from "./export-form";
import { RetentionForm } from "./retention-form";

export const generateMetadata = (): Metadata => ({ title: t("Data") });

export default async function DataPage(props: SettingsProps) {
  const { owner, site } = await openSettings("data", props);
  const { retention_months } = await query(sitesRetentionGet, owner, { site_id: site.site_id });
  const { imports } = await query(sitesImportsList, owner, { site_id: site.site_id });
  const exportPath = `/sites/${site.site_id}/settings/data/export`;
  return (
    <SettingsFrame site={site} page="data">
      <RetentionForm
        site={{ siteId: site.site_id, domain: legibleHost(site.domain) }}
        months={retention_months}
        mayChange={site.role === "owner"}
      />
      <Section
        title={t("Export data")}
        about={t(
          "All stored events of this site, oldest first, each with its visit in one line. Contains no IP addresses, because none are stored. The export is recorded in the audit log.",
        )}
      >
        <ExportForm action={exportPath} />
      </Section>
      {imports.length > 0 && (
        <Section
          title={t("Export imported totals")}
          about={t(
            "The daily totals that imports brought are no events, so they have a file of their own: CSV, which the import takes back with the same numbers.",
          )}
        >
          <ExportTotals action={`${exportPath}?content=imported`} />
        </Section>
      )}
      {site.role === "owner" && (
        <Section
          title={t("Import data")}
          about={t(
            "Exports of other analytics services are imported as daily totals of the days before the first event, and an export of another Footfall as its events.",
          )}
        >
          <ButtonLink href={`/sites/${site.site_id}/settings/import`} look="quiet">
            {t("Import files")}
          </ButtonLink>
          <p className="mt-3 text-sm text-muted">
            {rich(
              "An export of another Footfall, as JSON or CSV, gives the same reports here. <link>Export format and supported imports</link>",
              { link: (text) => <TextLink href="/docs/export">{text}</TextLink> },
            )}
          </p>
        </Section>
      )}
    </SettingsFrame>
  );
}
