"use client";

import { useSwitch } from "@/components/actions/actions";
import { Checkbox } from "@/components/ui/checkbox";
import { Section } from "@/components/ui/section";
import type { Subscribable } from "@/lib/sites/reports/subscriptions";

const CADENCES = { weekly: "Weekly", monthly: "Monthly" } as const;
type Cadence = keyof typeof CADENCES;

/** Which sites' numbers come by mail, and how often. */
export function Reports({ sites }: { sites: Subscribable[] }) {
  return (
    <Section
      title="Reports by mail"
      about="The week’s numbers on Monday, the month’s on its first day after, at seven in the morning of the site. Each letter has a link that ends it."
    >
      {sites.length === 0 && <p className="text-sm text-muted">Once you have a site, its reports can come by mail.</p>}
      <ul className="divide-y divide-line not-empty:-my-2">
        {sites.map((site) => (
          <li key={site.siteId} className="flex flex-wrap items-center justify-between gap-x-4 py-1">
            <span className="min-w-0 flex-1 basis-40 text-sm [overflow-wrap:anywhere]">{site.name || site.domain}</span>
            <span className="-mx-4 flex">
              {(Object.keys(CADENCES) as Cadence[]).map((cadence) => (
                <Subscription key={cadence} {...{ site, cadence }} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Subscription({ site, cadence }: { site: Subscribable; cadence: Cadence }) {
  const { siteId, domain, cadences } = site;
  const turned = useSwitch("sites.reports.update", cadences.includes(cadence), (on) => ({
    site_id: siteId,
    [cadence]: on,
  }));
  return <Checkbox label={CADENCES[cadence]} aria-label={`${CADENCES[cadence]} report of ${domain}`} {...turned} />;
}
