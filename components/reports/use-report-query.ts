"use client";

import { useSearchParams } from "next/navigation";
import { DETAILS } from "@/components/reports/details";

/** Search parameters that only affect the display, not the numbers. */
const DISPLAY = ["metric", "metric2", "embed", "theme"];

interface IncludedParts {
  /** Include the comparison. */
  compared?: boolean;
  /** Include the interval of the chart. */
  charted?: boolean;
  /** Include the parameters of the details dialog. */
  details?: boolean;
}

/** Returns the search parameters of the current view for the JSON routes of the dashboard. */
export function useReportQuery({
  compared = false,
  charted = false,
  details = false,
}: IncludedParts = {}): URLSearchParams {
  const query = new URLSearchParams(useSearchParams());
  const others = [
    ...[...DISPLAY, ...(compared ? [] : ["compare", "compare_from", "compare_to"])],
    ...[...(charted ? [] : ["interval"]), ...(details ? [] : Object.values(DETAILS))],
  ];
  for (const name of others) query.delete(name);
  return query;
}
