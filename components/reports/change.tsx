import { ArrowDownRight, ArrowUpRight } from "lucide-react";
import { changeBetween, type Change as Judged } from "@/lib/contract/changes";
import { formatExactly } from "@/lib/contract/numbers";
import { METRICS } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

/** The change of a number: arrow, size and text for screen readers. Colour is never the only indicator. */
export function Change({ up, better, text, textClass = "" }: Judged & { textClass?: string }) {
  const Arrow = up ? ArrowUpRight : ArrowDownRight;
  return (
    <span className={`inline-flex items-center gap-0.5 font-medium ${better ? "text-good" : "text-bad"}`}>
      <Arrow className="size-3.5" />
      <span className="sr-only">{up ? t("up") : t("down")} </span>
      <span className={textClass}>{text}</span>
      <span className="sr-only">{better ? t(", better than before") : t(", worse than before")}</span>
    </span>
  );
}

/**
 * The change of the visitors of a row, in a column; `new` for a row without visitors before. If it is brief, phones show only
 * the arrow.
 */
export function RowChange({ now, before, brief }: { now: number; before: number; brief: boolean }) {
  const change = changeBetween({ label: METRICS.visitors.label, isRate: false }, now, before, formatExactly);
  const width = brief ? "min-w-4 sm:min-w-14" : "min-w-14";
  return (
    <span className={`inline-flex justify-end text-xs ${width}`}>
      {change && <Change {...change} textClass={brief ? "max-sm:sr-only" : ""} />}
      {before === 0 && <span className={`text-muted ${brief ? "max-sm:sr-only" : ""}`}>{t("new")}</span>}
    </span>
  );
}
