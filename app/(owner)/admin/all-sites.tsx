import { Badge } from "@/components/ui/badge";
import { rich } from "@/components/ui/rich";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import type { SiteSummary } from "@/lib/admin/overview";
import { formatExactly } from "@/lib/contract/numbers";
import { legibleHost } from "@/lib/platform/legible-host";
import { msg, t } from "@/lib/texts/translate";
import { ListPager, type Pages } from "./pager";
import { SiteActions } from "./site-actions";

interface Props {
  sites: SiteSummary[];
  total: number;
  pages: Pages;
  now: Date;
}

/** All sites with their owners and this month's event count. Their analytics data is not shown to administrators. */
export function AllSites({ sites, total, pages, now }: Props) {
  return (
    <div id="sites" className="scroll-mt-6">
      <Section
        title={t("Sites: {count}", { count: formatExactly(total) })}
        about={
          pages.q
            ? t(
                "Sites with these words in a domain or name. With the events stored since the first of this month (UTC).",
              )
            : t("With the events stored since the first of this month (UTC).")
        }
      >
        <Rows empty={pages.q ? t("No site has this in a domain or name.") : t("No sites on this page.")}>
          {sites.map(({ siteId, domain, owners, since, events, disabledAt }) => (
            <li key={siteId} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-2.5 text-sm">
              <div className="min-w-0 flex-1 basis-60">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
                  <span className="min-w-0 break-all">{legibleHost(domain)}</span>
                  {disabledAt && <Badge tone="bad">{t("Disabled")}</Badge>}
                </p>
                <p className="text-muted [overflow-wrap:anywhere]">
                  {rich(
                    disabledAt ? msg("{owners}, added {added}, disabled {disabled}") : msg("{owners}, added {added}"),
                    {
                      owners: owners.join(", ") || t("Owned by an agent"),
                      added: <When at={since} now={now} />,
                      disabled: disabledAt && <When at={disabledAt} now={now} />,
                    },
                  )}
                </p>
              </div>
              <p className="flex items-center gap-4">
                <span className="tabular-nums">
                  {rich("{count, plural, one {# <muted>event</muted>} other {# <muted>events</muted>}}", {
                    count: events,
                    muted: (text) => <span className="text-muted">{text}</span>,
                  })}
                </span>
                <SiteActions siteId={siteId} domain={legibleHost(domain)} disabled={disabledAt !== null} />
              </p>
            </li>
          ))}
        </Rows>
        <ListPager list="sites" pages={pages} total={total} />
      </Section>
    </div>
  );
}
