import { ArrowDownRight, ArrowUpRight } from "lucide-react";
import type { Change as Judged } from "@/lib/contract/changes";

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
