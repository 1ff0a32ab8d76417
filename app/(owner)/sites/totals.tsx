import { Suspense } from "react";
import { Change } from "@/components/reports/change";
import { changeBetween } from "@/lib/contract/changes";
import { formatCount, formatExactly, formatMeasure } from "@/lib/contract/numbers";
import { MEASURES } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";
import type { Numbers, SitesOutcomes } from "./numbers";

interface Props {
  numbers: Promise<Numbers | null>;
  outcomes: Promise<SitesOutcomes | null>;
  /** How many sites the sums are of, and of which period. */
  sites: number;
  period: string;
  /** The visitors on these sites now. */
  present: number;
}

/** The sums of the sites that the list shows on all of its pages. */
export async function Totals({ numbers, outcomes, sites, period, present }: Props) {
  const totals = (await numbers)?.totals;
  if (!totals) return null;
  return (
    <section aria-label={t("Totals")} className="card mb-4 flex flex-wrap items-end gap-x-8 gap-y-3 px-4 py-3">
      <Total metric="visitors" value={totals.visitors} before={totals.before.visitors} />
      <Total metric="visits" value={totals.visits} before={totals.before.visits} />
      <Suspense>
        <OutcomeTotals outcomes={outcomes} />
      </Suspense>
      {present > 0 && (
        <p>
          <span className="block text-xl font-semibold tabular-nums">{formatCount(present)}</span>
          <span className="flex items-center gap-1.5 text-[0.8125rem] text-muted">
            <span className="size-2 rounded-full bg-good" aria-hidden="true" />
            {t("now")}
          </span>
        </p>
      )}
      <p className="ml-auto text-right text-[0.8125rem] text-muted max-sm:ml-0 max-sm:w-full max-sm:text-left">
        {t("On {count, plural, one {# site} other {# sites}} {period}.", { count: sites, period })}
        <span className="block">{t("Who visits two of them is counted on each.")}</span>
      </p>
    </section>
  );
}

/** The outcomes among the totals, in display order. */
const SHOWN = ["revenue", "orders", "conversion_rate"] as const;

async function OutcomeTotals({ outcomes }: Pick<Props, "outcomes">) {
  const found = await outcomes;
  if (!found?.totals) return null;
  const { metrics, previous } = found.totals;
  return SHOWN.map((metric) => {
    const value = metrics[metric];
    if (typeof value !== "number") return null;
    return (
      <Total key={metric} metric={metric} value={value} before={previous[metric] ?? null} currency={found.currency} />
    );
  });
}

interface TotalProps {
  metric: "visitors" | "visits" | (typeof SHOWN)[number];
  value: number;
  before: number | null;
  /** The currency of money. */
  currency?: string;
}

function Total({ metric, value, before, currency }: TotalProps) {
  const { label, unit } = MEASURES[metric];
  const format = (one: number | null) => formatMeasure(metric, one, currency ?? null);
  const change = changeBetween({ label, isRate: unit === "fraction" }, value, before, format);
  return (
    <p>
      <span className="flex items-baseline gap-2">
        <span
          className="text-xl font-semibold tracking-tight tabular-nums"
          title={unit === "count" ? formatExactly(value) : undefined}
        >
          {format(value)}
        </span>
        {change && (
          <span className="text-[0.8125rem]" title={t("Compared with as many days before, up to the same time of day")}>
            <Change {...change} />
          </span>
        )}
      </span>
      <span className="block text-[0.8125rem] text-muted">{t(label)}</span>
    </p>
  );
}
