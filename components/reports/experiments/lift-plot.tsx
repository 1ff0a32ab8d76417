import type { Variant } from "@/components/reports/experiments/sheets";
import { formatFraction } from "@/components/reports/sheet";
import { t } from "@/lib/texts/translate";

/** Plot of the 95% interval of each variant's lift; the control is at 0. The table below has the same data. */
export function LiftPlot({ variants }: { variants: Variant[] }) {
  const plotted = variants.flatMap(({ variant, lift, lift_interval }) =>
    lift_interval ? [{ variant, lift: lift ?? 0, ...lift_interval }] : [],
  );
  const reach = Math.max(0.01, ...plotted.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])) * 1.08;
  const positionOf = (lift: number) => `${((lift + reach) / (2 * reach)) * 100}%`;
  return (
    <figure className="card space-y-2.5 px-4 pt-3 pb-2.5">
      <figcaption className="text-sm font-semibold">{t("Lift over the control, 95% interval")}</figcaption>
      {plotted.map(({ variant, lift, low, high }) => (
        <div key={variant} className="grid items-center gap-x-3 text-sm sm:grid-cols-[9rem_minmax(0,1fr)_9rem]">
          <span className="truncate font-medium" title={variant}>
            {variant}
          </span>
          <div className="relative h-7" aria-hidden="true">
            <div className="absolute inset-x-0 top-1/2 h-px bg-line" />
            <div className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
            <div
              className={`absolute top-1/2 h-2.5 -translate-y-1/2 rounded-full ${toneOf(low, high)} opacity-40`}
              style={{ left: positionOf(low), width: `${((high - low) / (2 * reach)) * 100}%` }}
            />
            <div
              className={`absolute top-1/2 size-3 -translate-1/2 rounded-full ${toneOf(low, high)}`}
              style={{ left: positionOf(lift) }}
            />
          </div>
          <span className="text-muted tabular-nums sm:text-right">
            {t("{low} to {high}", { low: formatFraction(low), high: formatFraction(high) })}
          </span>
        </div>
      ))}
      <p className="flex justify-between text-xs text-muted tabular-nums sm:mr-39 sm:ml-39" aria-hidden="true">
        <span>{formatFraction(-reach)}</span>
        <span>{formatFraction(0)}</span>
        <span>{formatFraction(reach)}</span>
      </p>
    </figure>
  );
}

/** Returns the colour of an interval by its side of 0. */
const toneOf = (low: number, high: number): string => (low > 0 ? "bg-good" : high < 0 ? "bg-bad" : "bg-muted");
