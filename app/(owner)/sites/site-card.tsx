import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Suspense } from "react";
import { Sparkline } from "@/components/charts/sparkline";
import { Change } from "@/components/reports/change";
import { Badge } from "@/components/ui/badge";
import { Boundary } from "@/components/ui/boundary";
import { Failed } from "@/components/ui/failed";
import { Skeleton } from "@/components/ui/skeleton";
import { changeBetween } from "@/lib/contract/changes";
import { formatCount, formatExactly, formatMeasure } from "@/lib/contract/numbers";
import { MEASURES, METRICS } from "@/lib/contract/vocabulary";
import { legibleHost, siteTitle } from "@/lib/platform/legible-host";
import { isThisMachine } from "@/lib/platform/local-trial";
import type { ListedSite, PeriodNumbers } from "@/lib/sites/site-list";
import { t } from "@/lib/texts/translate";
import { type Numbers, problemOf, type SiteState, type SitesOutcomes } from "./numbers";
import { Pin } from "./pin";
import { PresentCount } from "./present";
import { Tags } from "./tags";

interface Props {
  site: ListedSite;
  numbers: Promise<Numbers | null>;
  outcomes: Promise<SitesOutcomes | null>;
  /** How the site is now; null if that could not be read. */
  state: SiteState | null;
  /** The period in words, such as "in the last 7 days". */
  period: string;
  /** The address of its dashboard. */
  href: string;
  /** All tags of the person. */
  tags: readonly string[];
}

/** Card of a site in the list. The numbers are streamed after the name. */
export function SiteCard({ site, numbers, outcomes, state, period, href, tags }: Props) {
  const title = siteTitle(site);
  const problem = state && problemOf(state);
  return (
    <li
      className={`card group relative min-w-0 p-4 transition-colors hover:border-line-strong has-[a:focus-visible]:border-accent ${problem ? "border-bad/50" : ""}`}
    >
      <div className="flex items-start justify-between gap-2">
        <h2 className="min-w-0 flex-1 truncate font-semibold">
          <Link href={href} prefetch={false} className="after:absolute after:inset-0 after:rounded-xl">
            {title}
          </Link>
        </h2>
        <div className="flex">
          <Tags siteId={site.siteId} title={title} tags={site.tags} known={tags} />
          <Pin siteId={site.siteId} title={title} pinned={site.pinned} />
        </div>
      </div>
      <div className="flex items-center justify-between gap-3 text-sm text-muted">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate">{site.name ? legibleHost(site.domain) : site.timezone}</span>
          {isThisMachine(site.domain) && <Badge>{t("Local trial")}</Badge>}
          {site.disabled && <Badge tone="bad">{t("Disabled")}</Badge>}
        </p>
        <PresentCount siteId={site.siteId} />
      </div>
      {site.tags.length > 0 && (
        <ul aria-label={t("Tags")} className="mt-2 flex flex-wrap gap-1">
          {site.tags.map((tag) => (
            <li key={tag} className="max-w-full truncate rounded-full bg-sunken px-2 py-0.5 text-xs text-muted">
              {tag}
            </li>
          ))}
        </ul>
      )}
      {problem && <Problem siteId={site.siteId} text={problem} />}
      <div className="mt-3 h-14">
        {site.disabled ? (
          <p className="text-sm text-muted">{t("The administrator of this service has disabled this site.")}</p>
        ) : (
          <Boundary what={t("the numbers")}>
            <Suspense fallback={<Skeleton className="h-14 w-full" />}>
              <LoadedNumbers siteId={site.siteId} numbers={numbers} period={period} />
            </Suspense>
          </Boundary>
        )}
      </div>
      <Suspense>
        <Led siteId={site.siteId} outcomes={outcomes} />
      </Suspense>
    </li>
  );
}

/** What is wrong with a site, and where to look. */
const Problem = ({ siteId, text }: { siteId: number; text: string }) => (
  <p className="mt-2 flex items-start gap-1.5 text-sm text-bad">
    <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
    <span>
      {text}.{" "}
      <Link href={`/sites/${siteId}/install`} prefetch={false} className="relative z-10 font-medium underline">
        {t("Check installation")}
      </Link>
    </span>
  </p>
);

/** What the visits of a site led to, in a line; nothing for a site without goals and sales. */
async function Led({ siteId, outcomes }: Pick<Props, "outcomes"> & { siteId: number }) {
  const found = await outcomes;
  const own = found?.sites.get(siteId);
  if (!found || !own) return null;
  const shown = (["revenue", "orders", "conversion_rate"] as const).filter((one) => typeof own[one] === "number");
  if (shown.length === 0) return null;
  return (
    <dl className="mt-3 flex flex-wrap gap-x-3 gap-y-1 border-t border-line pt-2.5 text-xs">
      {shown.map((outcome) => (
        <div key={outcome} className="flex items-baseline gap-1.5">
          <dt className="text-muted">{t(MEASURES[outcome].label)}</dt>
          <dd className="font-medium tabular-nums">{formatMeasure(outcome, own[outcome], found.currency)}</dd>
        </div>
      ))}
    </dl>
  );
}

async function LoadedNumbers({ siteId, numbers, period }: Pick<Props, "numbers" | "period"> & { siteId: number }) {
  const own = (await numbers)?.sites.get(siteId);
  return own ? <InPeriod siteId={siteId} numbers={own} period={period} /> : <Failed what={t("the numbers")} />;
}

function InPeriod({ siteId, numbers, period }: { siteId: number; numbers: PeriodNumbers; period: string }) {
  const { visitors, before, days } = numbers;
  const change = changeBetween(
    { label: METRICS.visitors.label, isRate: false },
    visitors,
    before.visitors,
    formatCount,
  );
  return (
    <div className="flex items-end justify-between gap-4">
      <div>
        <p className="flex items-baseline gap-2">
          <span className="text-2xl font-semibold tracking-tight tabular-nums" title={formatExactly(visitors)}>
            {formatCount(visitors)}
          </span>
          {change && (
            <span
              className="text-[0.8125rem]"
              title={t("Compared with as many days before, up to the same time of day")}
            >
              <Change {...change} />
            </span>
          )}
        </p>
        <p className="text-[0.8125rem] text-muted">{t("visitors {period}", { period })}</p>
      </div>
      {visitors === 0 ? (
        <Link
          href={`/sites/${siteId}/install`}
          prefetch={false}
          className="relative z-10 rounded-sm text-[0.8125rem] text-accent underline"
        >
          {t("Check installation")}
        </Link>
      ) : (
        days.length > 1 && <Sparkline values={days} growing className="h-12 w-2/5 max-w-44" />
      )}
    </div>
  );
}
