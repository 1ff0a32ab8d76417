import Link from "next/link";
import { Suspense } from "react";
import { Sparkline } from "@/components/charts/sparkline";
import { Change } from "@/components/reports/change";
import { Badge } from "@/components/ui/badge";
import { Boundary } from "@/components/ui/boundary";
import { Failed } from "@/components/ui/failed";
import { Skeleton } from "@/components/ui/skeleton";
import { changeBetween } from "@/lib/contract/changes";
import { formatCount, formatExactly } from "@/lib/contract/numbers";
import { legibleHost, siteTitle } from "@/lib/platform/legible-host";
import { isThisMachine } from "@/lib/platform/local-trial";
import type { ListedSite, Week } from "@/lib/sites/site-list";
import { Pin } from "./pin";
import { PresentCount } from "./present";

/** Weekly numbers by site id; null if they could not be loaded. */
type Weeks = Promise<ReadonlyMap<number, Week> | null>;

/** Card of a site in the list. The numbers are streamed after the name. */
export function SiteCard({ site, weeks }: { site: ListedSite; weeks: Weeks }) {
  const title = siteTitle(site);
  return (
    <li className="card group relative min-w-0 p-4 transition-colors hover:border-line-strong has-[a:focus-visible]:border-accent">
      <div className="flex items-start justify-between gap-2">
        <h2 className="min-w-0 truncate font-semibold">
          <Link
            href={`/sites/${site.siteId}`}
            prefetch={false}
            className="after:absolute after:inset-0 after:rounded-xl"
          >
            {title}
          </Link>
        </h2>
        <Pin siteId={site.siteId} title={title} pinned={site.pinned} />
      </div>
      <div className="flex items-center justify-between gap-3 text-sm text-muted">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate">{site.name ? legibleHost(site.domain) : site.timezone}</span>
          {isThisMachine(site.domain) && <Badge>Local trial</Badge>}
        </p>
        <PresentCount siteId={site.siteId} />
      </div>
      <div className="mt-3 h-14">
        <Boundary what="the numbers">
          <Suspense fallback={<Skeleton className="h-14 w-full" />}>
            <LoadedWeek siteId={site.siteId} weeks={weeks} />
          </Suspense>
        </Boundary>
      </div>
    </li>
  );
}

async function LoadedWeek({ siteId, weeks }: { siteId: number; weeks: Weeks }) {
  const week = (await weeks)?.get(siteId);
  return week ? <LastWeek siteId={siteId} week={week} /> : <Failed what="the numbers" />;
}

function LastWeek({ siteId, week }: { siteId: number; week: Week }) {
  const { visitors, before, days } = week;
  const change = changeBetween({ label: "Visitors", isRate: false }, visitors, before, formatCount);
  return (
    <div className="flex items-end justify-between gap-4">
      <div>
        <p className="flex items-baseline gap-2">
          <span className="text-2xl font-semibold tracking-tight tabular-nums" title={formatExactly(visitors)}>
            {formatCount(visitors)}
          </span>
          {change && (
            <span className="text-[0.8125rem]" title="Compared with the previous 7 days, up to the same time of day">
              <Change {...change} />
            </span>
          )}
        </p>
        <p className="text-[0.8125rem] text-muted">visitors in 7 days</p>
      </div>
      {visitors > 0 ? (
        <Sparkline values={days} growing className="h-12 w-2/5 max-w-44" />
      ) : (
        <Link
          href={`/sites/${siteId}/install`}
          prefetch={false}
          className="relative z-10 rounded-sm text-[0.8125rem] text-accent underline"
        >
          Check installation
        </Link>
      )}
    </div>
  );
}
