import { Change } from "@/components/reports/change";
import { changeBetween } from "@/lib/contract/changes";
import { formatCount, formatExactly } from "@/lib/contract/numbers";
import { METRICS } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";
import type { Numbers } from "./numbers";

interface Props {
  numbers: Promise<Numbers | null>;
  /** How many sites the sums are of, and of which period. */
  sites: number;
  period: string;
  /** The visitors on these sites now. */
  present: number;
}

/** The sums of the sites that the list shows on all of its pages. */
export async function Totals({ numbers, sites, period, present }: Props) {
  const totals = (await numbers)?.totals;
  if (!totals) return null;
  return (
    <section aria-label={t("Totals")} className="card mb-4 flex flex-wrap items-end gap-x-8 gap-y-3 px-4 py-3">
      <Total metric="visitors" value={totals.visitors} before={totals.before.visitors} />
      <Total metric="visits" value={totals.visits} before={totals.before.visits} />
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

function Total({ metric, value, before }: { metric: "visitors" | "visits"; value: number; before: number }) {
  const { label } = METRICS[metric];
  const change = changeBetween({ label, isRate: false }, value, before, formatCount);
  return (
    <p>
      <span className="flex items-baseline gap-2">
        <span className="text-xl font-semibold tracking-tight tabular-nums" title={formatExactly(value)}>
          {formatCount(value)}
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
