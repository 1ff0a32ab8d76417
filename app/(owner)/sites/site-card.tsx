import Link from "next/link";
import { Suspense } from "react";
import { Sparkline } from "@/components/charts/sparkline";
import { Change } from "@/components/reports/change";
import { formatCount, formatExactly } from "@/components/reports/format";
import { Refresh } from "@/components/ui/refresh";
import { Skeleton } from "@/components/ui/skeleton";
import type { SiteShape } from "@/lib/contract/fields";
import { CardFailed } from "./card-failed";
import { EMPTY_WEEK, readWeek, type Week } from "./week";

interface Props {
  site: SiteShape;
  personId: number;
  /** Whether anything was counted lately; otherwise nothing is asked for. */
  hasData: boolean;
  now: Date;
}

/** A site at a glance; its numbers arrive after its name. */
export function SiteCard({ site, personId, hasData, now }: Props) {
  return (
    <li className="card relative min-w-0 p-4 transition-colors hover:border-line-strong has-focus-visible:border-accent">
      <h2 className="truncate font-semibold">
        <Link
          href={`/sites/${site.site_id}`}
          prefetch={false}
          className="after:absolute after:inset-0 after:rounded-xl"
        >
          {site.name || site.domain}
        </Link>
      </h2>
      <p className="truncate text-sm text-muted">{site.name ? site.domain : site.timezone}</p>
      <div className="mt-3 h-14">
        {hasData ? (
          <Suspense fallback={<Skeleton className="h-14 w-full" />}>
            <LoadedWeek siteId={site.site_id} personId={personId} now={now} />
          </Suspense>
        ) : (
          <LastWeek week={EMPTY_WEEK} />
        )}
      </div>
    </li>
  );
}

async function LoadedWeek({ siteId, personId, now }: { siteId: number; personId: number; now: Date }) {
  const week = await readWeek(siteId, personId, now);
  if (week === "failed") return <CardFailed />;
  return week === "copying" ? <CardCopying /> : <LastWeek week={week} />;
}

const ASK_AGAIN_MS = 2_000;

const CardCopying = () => (
  <div role="status" className="flex h-14 items-center text-sm text-muted">
    Preparing the numbers …
    <Refresh everyMs={ASK_AGAIN_MS} />
  </div>
);

function LastWeek({ week: { visitors, before, days } }: { week: Week }) {
  return (
    <div className="flex items-end justify-between gap-4">
      <div>
        <p className="flex items-baseline gap-2">
          <span className="text-2xl font-semibold tracking-tight tabular-nums" title={formatExactly(visitors)}>
            {formatCount(visitors)}
          </span>
          {before > 0 && (
            <span className="text-[0.8125rem]">
              <Change change={(visitors - before) / before} />
            </span>
          )}
        </p>
        <p className="text-[0.8125rem] text-muted">visitors in 7 days</p>
      </div>
      <Sparkline values={days} growing className="h-12 w-2/5 max-w-44" />
    </div>
  );
}
