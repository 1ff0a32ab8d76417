import type { Metadata } from "next";
import { addressOfBrowser } from "@/app/browser-address";
import { countryName } from "@/lib/contract/exclusion-patterns";
import { readQuota } from "@/lib/ingest/site/quota";
import { countedAddress } from "@/lib/platform/counted-address";
import { listExclusions } from "@/lib/sites/exclusions";
import { readIngestStats } from "@/lib/sites/ingest-stats";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { AddRule } from "./add-rule";
import { EventOutcomes } from "./event-outcomes";
import { QuotaUse } from "./quota-use";
import { Rules } from "./rules";

export const metadata: Metadata = { title: "Exclusions" };

export default async function ExclusionsPage(props: SettingsProps) {
  const { site } = await openSettings("exclusions", props);
  const now = new Date();
  const [rules, intake, quota, address] = await Promise.all([
    listExclusions(site.site_id),
    readIngestStats(site.site_id, now),
    readQuota(site.site_id, now),
    addressOfBrowser(),
  ]);
  const mine = address === "unknown" ? null : countedAddress(address);
  return (
    <SettingsFrame site={site} page="exclusions">
      <Rules
        siteId={site.site_id}
        rules={rules.map((rule) => ({
          ...rule,
          meaning: rule.kind === "country" ? countryName(rule.pattern) : null,
        }))}
      />
      <AddRule
        siteId={site.site_id}
        mine={rules.some((rule) => rule.kind === "address" && rule.pattern === mine) ? null : mine}
      />
      <EventOutcomes intake={intake} />
      {quota && <QuotaUse quota={quota} siteId={site.site_id} />}
    </SettingsFrame>
  );
}
