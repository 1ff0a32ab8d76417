import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { addressOfBrowser } from "@/app/browser-address";
import { ProveDomain, renewal } from "@/components/reports/quota-notice";
import { Fact, Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/section";
import type { Quota } from "@/lib/ingest/site/limits";
import sitesEventsOutcomes from "@/lib/operations/sites.events.outcomes";
import sitesExclusionsList from "@/lib/operations/sites.exclusions.list";
import sitesQuotaGet from "@/lib/operations/sites.quota.get";
import { countedAddress } from "@/lib/platform/counted-address";
import { countryName } from "@/lib/platform/intl-names";
import { currentLanguage, t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { AddExclusion } from "./add-rule";
import { EventOutcomes } from "./event-outcomes";
import { Rules } from "./rules";

export const generateMetadata = (): Metadata => ({ title: t("Exclusions") });

export default async function ExclusionsPage(props: SettingsProps) {
  const { owner, site } = await openSettings("exclusions", props);
  const input = { site_id: site.site_id };
  const [{ exclusions }, outcomes, { quota }, address] = await Promise.all([
    query(sitesExclusionsList, owner, input),
    query(sitesEventsOutcomes, owner, input),
    query(sitesQuotaGet, owner, input),
    addressOfBrowser(),
  ]);
  const mine = address === "unknown" ? null : countedAddress(address);
  return (
    <SettingsFrame site={site} page="exclusions">
      <Rules
        siteId={site.site_id}
        rules={exclusions.map(({ exclusion_id, kind, pattern }) => ({
          id: exclusion_id,
          kind,
          pattern,
          meaning: kind === "country" ? countryName(pattern, currentLanguage()) : null,
        }))}
      />
      <AddExclusion
        siteId={site.site_id}
        mine={exclusions.some(({ kind, pattern }) => kind === "address" && pattern === mine) ? null : mine}
      />
      <EventOutcomes {...outcomes} />
      {quota && <QuotaUse quota={quota} siteId={site.site_id} />}
    </SettingsFrame>
  );
}

/** Use of the monthly event quota. */
function QuotaUse({ quota, siteId }: { quota: Quota; siteId: number }) {
  return (
    <Section
      title={t("Monthly quota")}
      about={t(
        "Events beyond it are refused with 429 and counted above. A large event counts once for each started KB.",
      )}
    >
      <Facts>
        <Fact name={t("Used")}>
          {t("{used, number} of {events, number} events", { used: quota.used, events: quota.events })}
        </Fact>
        <Fact name={t("Resets")}>{renewal(quota)}</Fact>
        {quota.unproven && (
          <Fact name={t("Ends")}>
            <ProveDomain siteId={siteId} />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}
