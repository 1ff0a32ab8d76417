"use client";

import { useGo, useViewHref } from "@/components/reports/view-frame";
import type { Interval } from "@/lib/contract/fields";

/** Local days, both counted. */
export interface Days {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;
const dayOf = (text: string): string => text.slice(0, 10);

/** The last local day of the bucket with this label. */
function lastDayOf(label: string, interval: Interval): string {
  const day = dayOf(label);
  if (interval === "week") return dayOf(new Date(Date.parse(day) + 6 * DAY_MS).toISOString());
  if (interval !== "month") return day;
  const [year = 0, month = 1] = day.split("-").map(Number);
  return dayOf(new Date(Date.UTC(year, month, 0)).toISOString());
}

/** The local days of the buckets from `first` to `last` (their labels), cut to those of the report. */
export function daysOfBuckets(first: string, last: string, interval: Interval, { from, to }: Days): Days {
  const [, begin = ""] = [dayOf(first), dayOf(from)].sort();
  const [end = ""] = [lastDayOf(last, interval), dayOf(to)].sort();
  return { from: begin, to: end };
}

/** What dragging over a chart and clicking it do to the view, where that would show anything else. */
export function useZoom(range: Days, interval: Interval, buckets: readonly { label: string }[]) {
  const href = useViewHref();
  const go = useGo();
  const isOneDay = dayOf(range.from) === dayOf(range.to);
  const isFine = interval === "hour" || interval === "minute";
  const labelOf = (index: number) => buckets[index]?.label ?? range.from;

  function show(first: number, last: number) {
    const days = daysOfBuckets(labelOf(first), labelOf(last), interval, range);
    // Days of hours stay so while they are several; anything coarser becomes the next finer interval.
    const next = isFine && first !== last ? interval : null;
    const isSame = days.from === dayOf(range.from) && days.to === dayOf(range.to);
    if (!isSame || (!isFine && first === last)) go(href({ period: null, ...days, interval: next }));
  }
  return {
    onZoom: isOneDay ? undefined : show,
    onDrill: isOneDay && isFine ? undefined : (index: number) => show(index, index),
    daysOf: (index: number) => daysOfBuckets(labelOf(index), labelOf(index), interval, range),
  };
}
