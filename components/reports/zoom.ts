"use client";

import { useSearchParams } from "next/navigation";
import { type Patch, useGo, ZOOMED } from "@/components/reports/view-frame";
import { type Days, lastOfMonth, plusDays } from "@/components/ui/calendar-days";
import type { Interval } from "@/lib/contract/fields";

const dayOf = (text: string): string => text.slice(0, 10);

/** Returns the last local day of a bucket. */
function lastDayOf(label: string, interval: Interval): string {
  const day = dayOf(label);
  if (interval === "week") return plusDays(day, 6);
  return interval === "month" ? lastOfMonth(day) : day;
}

/** Returns the local days from the bucket `first` to the bucket `last` (labels), within the report's range. */
export function daysOfBuckets(first: string, last: string, interval: Interval, { from, to }: Days): Days {
  const [, begin = ""] = [dayOf(first), dayOf(from)].sort();
  const [end = ""] = [lastDayOf(last, interval), dayOf(to)].sort();
  return { from: begin, to: end };
}

/** The parameters of a range of time. */
const RANGE = ["period", "from", "to", "interval"] as const;

/** Returns the parameters of the range of a view, as a query. The default range is an empty text. */
export function rangeIn(view: URLSearchParams): string {
  const range = RANGE.flatMap((name): [string, string][] => {
    const value = view.get(name);
    return value ? [[name, value]] : [];
  });
  return `${new URLSearchParams(range)}`;
}

/** Returns the patch that shows the range before a zoom again; null for a view that is not zoomed. */
export function unzoomed(view: URLSearchParams): Patch | null {
  const before = view.get(ZOOMED);
  if (before === null) return null;
  const range = new URLSearchParams(before);
  return { ...Object.fromEntries(RANGE.map((name) => [name, range.get(name)])), [ZOOMED]: null };
}

/** Returns the zoom and drill-down handlers of a chart; undefined if they would not change the view. */
export function useZoom(range: Days, interval: Interval, buckets: readonly { label: string }[]) {
  const go = useGo();
  const view = useSearchParams();
  const isOneDay = dayOf(range.from) === dayOf(range.to);
  const isFine = interval === "hour" || interval === "minute";
  const labelOf = (index: number) => buckets[index]?.label ?? range.from;

  function show(first: number, last: number) {
    const days = daysOfBuckets(labelOf(first), labelOf(last), interval, range);
    // A selection of several hours keeps its interval; otherwise the default interval of the new range applies.
    const next = isFine && first !== last ? interval : null;
    const isSame = days.from === dayOf(range.from) && days.to === dayOf(range.to);
    if (!isSame || (!isFine && first === last)) {
      // Of several zooms in a row, the way back leads to the range before the first.
      go({ period: null, ...days, interval: next, [ZOOMED]: view.get(ZOOMED) ?? rangeIn(view) });
    }
  }
  return {
    onZoom: isOneDay ? undefined : show,
    onDrill: isOneDay && isFine ? undefined : (index: number) => show(index, index),
    daysOf: (index: number) => daysOfBuckets(labelOf(index), labelOf(index), interval, range),
  };
}
