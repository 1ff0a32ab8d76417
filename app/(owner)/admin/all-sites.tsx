import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import type { SiteSummary } from "@/lib/admin/overview";
import { formatExactly } from "@/lib/contract/numbers";
import { legibleHost } from "@/lib/platform/legible-host";
import { ListPager, type Pages } from "./pager";

interface Props {
  sites: SiteSummary[];
  total: number;
  pages: Pages;
  now: Date;
}

/** All sites with their owners and this month's event count. Their analytics data is not shown to the operator. */
export function AllSites({ sites, total, pages, now }: Props) {
  return (
    <div id="sites" className="scroll-mt-6">
      <Section
        title={`Sites: ${formatExactly(total)}`}
        about="With the events stored since the first of this month (UTC)."
      >
        <Rows empty="No sites on this page.">
          {sites.map(({ siteId, domain, owners, since, events }) => (
            <li key={siteId} className="flex items-start justify-between gap-4 py-2.5 text-sm">
              <div className="min-w-0">
                <p className="font-medium break-all">{legibleHost(domain)}</p>
                <p className="text-muted [overflow-wrap:anywhere]">
                  {owners.join(", ") || "Owned by an agent"}, added <When at={since} now={now} />
                </p>
              </div>
              <p className="shrink-0 tabular-nums">
                {formatExactly(events)} <span className="text-muted">{events === 1 ? "event" : "events"}</span>
              </p>
            </li>
          ))}
        </Rows>
        <ListPager list="sites" pages={pages} total={total} />
      </Section>
    </div>
  );
}
