import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { isDbIp } from "@/lib/ingest/enrich/geo";
import { SCRUBBED } from "@/lib/ingest/scrubbing/kinds";
import sitesPrivacyGet from "@/lib/operations/sites.privacy.get";
import sitesPrivacyRecord from "@/lib/operations/sites.privacy.record";
import sitesScrubbingList from "@/lib/operations/sites.scrubbing.list";
import sitesScrubbingReport from "@/lib/operations/sites.scrubbing.report";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { PrivacyForm } from "./privacy-form";
import { PrivacyRecord } from "./privacy-record";
import { ScrubRules } from "./scrub-rules";
import { Scrubbed } from "./scrubbed";

export const generateMetadata = (): Metadata => ({ title: t("Privacy") });

export default async function PrivacyPage(props: SettingsProps) {
  const { owner, site } = await openSettings("privacy", props);
  const input = { site_id: site.site_id };
  const [privacy, report, { rules }, { policy }] = await Promise.all([
    query(sitesPrivacyGet, owner, input),
    query(sitesScrubbingReport, owner, input),
    query(sitesScrubbingList, owner, input),
    query(sitesPrivacyRecord, owner, input),
  ]);
  return (
    <SettingsFrame site={site} page="privacy">
      <PrivacyForm privacy={privacy} />
      <PrivacyRecord siteId={site.site_id} policy={policy} />
      <Scrubbed {...report} />
      <ScrubRules siteId={site.site_id} rules={rules} />
      <Section
        title={t("Always")}
        about={t(
          "IP addresses and user agents are not stored, and no cookies are set. Personal data is replaced before storage:",
        )}
      >
        <ul className="-my-1 list-disc space-y-1 pl-5 text-sm text-muted">
          {Object.entries(SCRUBBED).map(([kind, about]) => (
            <li key={kind} className="first-letter:uppercase">
              {rich("{data} becomes {replacement}", {
                data: t(about),
                replacement: <span className="font-mono">({kind})</span>,
              })}
            </li>
          ))}
        </ul>
        {isDbIp() && (
          <p className="mt-4 text-sm text-muted">
            {rich("Locations: <link>IP Geolocation by DB-IP</link>", {
              link: (text) => (
                <a href="https://db-ip.com/" className="text-accent underline">
                  {text}
                </a>
              ),
            })}
          </p>
        )}
      </Section>
    </SettingsFrame>
  );
}
