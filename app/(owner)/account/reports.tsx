"use client";

import { useSwitch } from "@/components/actions/actions";
import { Checkbox } from "@/components/ui/checkbox";
import { UnsentNotice } from "@/components/ui/mail-server";
import { Section } from "@/components/ui/section";
import type { SiteSubscriptions } from "@/lib/sites/reports/subscriptions";
import { msg, t } from "@/lib/texts/translate";

const CADENCES = { daily: msg("Daily"), weekly: msg("Weekly"), monthly: msg("Monthly") } as const;
type Cadence = keyof typeof CADENCES;

/** Email report subscriptions of the person, by site and cadence. */
export function EmailReports({ sites }: { sites: SiteSubscriptions[] }) {
  return (
    <Section
      title={t("Email reports")}
      about={t(
        "Weekly reports are sent on Monday, monthly reports on the first of the next month, at 7:00 in the site’s timezone, unless you choose another time in the settings of the site. Each email has an unsubscribe link.",
      )}
    >
      <div className="not-empty:mb-4">
        <UnsentNotice what={t("Reports are")} />
      </div>
      {sites.length === 0 && <p className="text-sm text-muted">{t("Add a site first to get its reports by email.")}</p>}
      <ul className="divide-y divide-line not-empty:-my-2">
        {sites.map((site) => (
          <li key={site.siteId} className="flex flex-wrap items-center justify-between gap-x-4 py-1">
            <span className="min-w-0 flex-1 basis-40 text-sm [overflow-wrap:anywhere]">{site.name || site.domain}</span>
            <span className="-mx-4 flex flex-wrap">
              {(Object.keys(CADENCES) as Cadence[]).map((cadence) => (
                <Subscription key={cadence} site={site} cadence={cadence} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Subscription({ site, cadence }: { site: SiteSubscriptions; cadence: Cadence }) {
  const { siteId, domain, cadences } = site;
  const switchProps = useSwitch("sites.reports.update", cadences.includes(cadence), (on) => ({
    site_id: siteId,
    [cadence]: on,
  }));
  return (
    <Checkbox
      label={t(CADENCES[cadence])}
      aria-label={t("{cadence, select, daily {Daily} weekly {Weekly} other {Monthly}} report of {domain}", {
        cadence,
        domain,
      })}
      {...switchProps}
    />
  );
}
