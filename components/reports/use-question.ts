"use client";

import { useSearchParams } from "next/navigation";

/** What of a view's address is about how it is shown, and not about its numbers. */
const SHOWN = ["metric", "interval", "embed", "theme"];

/** What the view's address asks for, as the site's own answers take it; with what it is compared to, where that is told. */
export function useQuestion({ compared = false } = {}): URLSearchParams {
  const query = new URLSearchParams(useSearchParams());
  for (const name of compared ? SHOWN : [...SHOWN, "compare"]) query.delete(name);
  return query;
}
