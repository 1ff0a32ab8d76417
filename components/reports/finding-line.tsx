"use client";

import { ArrowDownRight, ArrowUpRight } from "lucide-react";
import { type Filter, isChosen, toggledFilter, writeFilters } from "@/components/reports/filters";
import { ViewLink } from "@/components/reports/view-frame";
import { t } from "@/lib/texts/translate";

interface Props {
  dimension: string;
  value: string | null;
  /** What changed, as a sentence. */
  text: string;
  up: boolean;
  isBetter: boolean;
  /** The active filters. */
  filters: readonly Filter[];
  /** Whether a long sentence is cut, so that the line has a known height. */
  isCut?: boolean;
}

/** A value that explains a change, as a sentence that filters the view by it. */
export function FindingLine({ dimension, value, text, up, isBetter, filters, isCut = false }: Props) {
  const Arrow = up ? ArrowUpRight : ArrowDownRight;
  const chosen = isChosen(filters, dimension, value ?? "");
  return (
    <li className="min-w-0">
      <ViewLink
        patch={{ filters: writeFilters(toggledFilter(filters, dimension, value ?? "")) }}
        title={chosen ? t("{text} – remove this filter", { text }) : t("{text} – filter by it", { text })}
        aria-current={chosen ? "true" : undefined}
        plain="-mx-2 flex min-h-8 items-center gap-2 px-2 py-1 text-sm"
        className="-mx-2 flex min-h-8 items-center gap-2 rounded-lg px-2 py-1 text-sm hover:bg-sunken"
      >
        <Arrow className={`size-4 shrink-0 ${isBetter ? "text-good" : "text-bad"}`} aria-hidden="true" />
        <span dir="auto" className={`min-w-0 [overflow-wrap:anywhere] ${isCut ? "line-clamp-2 sm:line-clamp-1" : ""}`}>
          {text}
        </span>
      </ViewLink>
    </li>
  );
}
