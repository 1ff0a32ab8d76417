"use client";

import { useSearchParams } from "next/navigation";
import { DETAILS } from "@/components/reports/details";

/** What of a view's address is about how it is shown, and not about its numbers. */
const SHOWN = ["metric", "metric2", "embed", "theme"];

interface IncludedParts {
  /** What the view is compared to. */
  compared?: boolean;
  /** Over which intervals. */
  charted?: boolean;
  /** What the dialog over it lists. */
  details?: boolean;
}

/** What the view's address asks for, as the site's own answers take it. */
export function useReportQuery({
  compared = false,
  charted = false,
  details = false,
}: IncludedParts = {}): URLSearchParams {
  const query = new URLSearchParams(useSearchParams());
  const others = [
    ...[...SHOWN, ...(compared ? [] : ["compare", "compare_from", "compare_to"])],
    ...[...(charted ? [] : ["interval"]), ...(details ? [] : Object.values(DETAILS))],
  ];
  for (const name of others) query.delete(name);
  return query;
}
