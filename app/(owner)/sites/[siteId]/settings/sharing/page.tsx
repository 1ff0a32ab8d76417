import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { PANEL_NAMES } from "@/components/reports/dashboard-panels";
import { formatRange } from "@/components/ui/format";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { TextLink } from "@/components/ui/text-link";
import { When } from "@/components/ui/when";
import { REPORTS } from "@/lib/contract/reports";
import { PERIODS } from "@/lib/contract/vocabulary";
import sitesLinksList from "@/lib/operations/sites.links.list";
import sitesSegmentsList from "@/lib/operations/sites.segments.list";
import { env } from "@/lib/platform/env";
import { SHARED_PANELS, SHARED_REPORTS } from "@/lib/sites/share-limits";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { ShareLinks } from "./links";

export const generateMetadata = (): Metadata => ({ title: t("Sharing") });

const panelName = (panel: (typeof SHARED_PANELS)[number]) =>
  panel === "metrics" ? t("Key metrics and chart") : t(PANEL_NAMES[panel]);

export default async function SharingPage(props: SettingsProps) {
  const { owner, site } = await openSettings("sharing", props);
  const now = new Date();
  const [{ links }, { segments }] = await Promise.all([
    query(sitesLinksList, owner, { site_id: site.site_id }, now),
    query(sitesSegmentsList, owner, { site_id: site.site_id }, now),
  ]);
  const names = new Map(segments.map(({ id, name }) => [id, name]));
  const shownBy = ({ dashboard, panels, reports, revenue }: (typeof links)[number]): string => {
    const parts = panels.length > 0 ? panels.map(panelName) : dashboard ? [t("Dashboard")] : [];
    const all = reports.length === SHARED_REPORTS.length;
    return [
      ...parts,
      ...(revenue ? [t("Revenue")] : []),
      ...(all ? [t("All reports")] : reports.map((key) => t(REPORTS[key].name))),
    ].join(", ");
  };
  const periodOf = ({ period, from, to }: (typeof links)[number]): string | null =>
    from && to ? formatRange(from, to) : period && t(PERIODS[period]);
  return (
    <SettingsFrame site={site} page="sharing">
      <ShareLinks
        siteId={site.site_id}
        hosts={[new URL(env().BASE_URL).host, ...env().ALLOWED_HOSTS]}
        links={links.map((link) => ({
          id: link.link_id,
          name: link.name,
          url: link.url ?? "",
          embedUrl: link.embed_url,
          shows: shownBy(link),
          limits: [
            link.segment && t("Only {segment}", { segment: names.get(link.segment) ?? t("a segment") }),
            periodOf(link),
            link.has_password && t("Password"),
          ].flatMap((text) => text || []),
          ended: link.expires_at !== null && new Date(link.expires_at) <= now,
          expires: link.expires_at && <When at={new Date(link.expires_at)} now={now} />,
          lastUsed: link.last_used_at && <When at={new Date(link.last_used_at)} now={now} />,
          uses: link.uses,
        }))}
        choices={{
          segments: segments.map(({ id, name }) => ({ value: id, label: name })),
          panels: SHARED_PANELS.map((panel) => ({ value: panel, label: panelName(panel) })),
          reports: SHARED_REPORTS.map((key) => ({ value: key, label: t(REPORTS[key].name) })),
        }}
      />
      <Section title={t("Public dashboard")} about={t("A dashboard that anyone can find by the domain of the site.")}>
        <p className="text-sm">
          {rich("It is {state, select, on {on} other {off}}. Switch it in the <link>general settings</link>.", {
            state: site.public ? "on" : "off",
            link: (text) => <TextLink href={`/sites/${site.site_id}/settings/general`}>{text}</TextLink>,
          })}
        </p>
      </Section>
    </SettingsFrame>
  );
}
