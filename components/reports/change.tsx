import { ArrowDownRight, ArrowUpRight } from "lucide-react";
import { changeBetween, type Change as Judged } from "@/lib/contract/changes";
import { formatExactly } from "@/lib/contract/numbers";

/** The change of a number: arrow, size and text for screen readers. Colour is never the only indicator. */
export function Change({ up, better, text }: Judged) {
  const Arrow = up ? ArrowUpRight : ArrowDownRight;
  return (
    <span className={`inline-flex items-center gap-0.5 font-medium ${better ? "text-good" : "text-bad"}`}>
      <Arrow className="size-3.5" />
      <span className="sr-only">{up ? "up" : "down"} </span>
      {text}
      <span className="sr-only">{better ? ", better" : ", worse"} than before</span>
    </span>
  );
}

/** The change of the visitors of a row, in a column of fixed width; `new` for a row without visitors before. */
export function RowChange({ now, before }: { now: number; before: number }) {
  const change = changeBetween({ label: "Visitors", isRate: false }, now, before, formatExactly);
  return (
    <span className="min-w-14 text-right text-xs">
      {change && <Change {...change} />}
      {before === 0 && <span className="text-muted">new</span>}
    </span>
  );
}
