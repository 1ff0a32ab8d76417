import { formatExactly, formatPercent } from "@/components/ui/format";
import { ArrowDown, ArrowUp } from "@/components/ui/icons";
import type { Metric } from "@/lib/contract/vocabulary";

export const isLessBetter = (metric: Metric): boolean => metric === "bounce_rate";

/** The change of a number: arrow, percentage and text for screen readers. Colour is never the only indicator. */
export function Change({ change, lessIsBetter = false }: { change: number; lessIsBetter?: boolean | undefined }) {
  const size = Math.abs(change);
  if (size < 0.005) return <span className="text-muted">±{formatPercent(0)}</span>;
  const better = lessIsBetter ? change < 0 : change > 0;
  const Arrow = change > 0 ? ArrowUp : ArrowDown;
  return (
    <span className={`inline-flex items-center gap-0.5 font-medium ${better ? "text-good" : "text-bad"}`}>
      <Arrow className="size-3.5" />
      <span className="sr-only">{change > 0 ? "up" : "down"} </span>
      {size >= 10 ? `×${formatExactly(size + 1)}` : formatPercent(size)}
      <span className="sr-only">{better ? ", better" : ", worse"} than before</span>
    </span>
  );
}
