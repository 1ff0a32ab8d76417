"use client";

import { useSearchParams } from "next/navigation";

/** What of a view's address is about how it is shown, and not about its numbers. */
const SHOWN = ["metric", "interval", "compare", "embed", "theme"];

/** What the view's address asks for, as the site's own answers take it. */
export function useQuestion(): URLSearchParams {
  const query = new URLSearchParams(useSearchParams());
  for (const name of SHOWN) query.delete(name);
  return query;
}
