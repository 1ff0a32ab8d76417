"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useDeed } from "@/components/deeds/deeds";
import { Checkbox } from "@/components/ui/checkbox";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import type { Subscribable } from "@/lib/mail-reports/subscriptions";

const CADENCES = { weekly: "Weekly", monthly: "Monthly" } as const;
type Cadence = keyof typeof CADENCES;

/** Which sites' numbers come by mail, and how often. */
export function Reports({ sites }: { sites: Subscribable[] }) {
  const { perform, busy, problems } = useDeed("reports.subscribe");
  const [saved, setSaved] = useState(false);
  const router = useRouter();

  async function change(siteId: number, cadence: Cadence, on: boolean) {
    setSaved(false);
    if (!(await perform({ site_id: siteId, cadence, on }))) return;
    setSaved(true);
    router.refresh();
  }

  return (
    <Section
      title="Reports by mail"
      about="The week’s numbers on Monday, the month’s on its first day after, at seven in the morning of the site. Each letter has a link that ends it."
      aside={
        <span role="status" className="text-sm text-muted">
          {saved && "Saved."}
        </span>
      }
    >
      {problems.message && <Notice>{problems.message}</Notice>}
      {sites.length === 0 && <p className="text-sm text-muted">Once you have a site, its reports can come by mail.</p>}
      <ul className="divide-y divide-line not-empty:-my-2">
        {sites.map(({ siteId, domain, name, cadences }) => (
          <li key={siteId} className="flex flex-wrap items-center justify-between gap-x-4 py-1">
            <span className="min-w-0 flex-1 basis-40 text-sm [overflow-wrap:anywhere]">{name || domain}</span>
            <span className="-mx-4 flex">
              {(Object.keys(CADENCES) as Cadence[]).map((cadence) => (
                <Checkbox
                  key={cadence}
                  label={CADENCES[cadence]}
                  aria-label={`${CADENCES[cadence]} report of ${domain}`}
                  checked={cadences.includes(cadence)}
                  aria-busy={busy}
                  onChange={(event) => {
                    if (!busy) change(siteId, cadence, event.target.checked);
                  }}
                />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
