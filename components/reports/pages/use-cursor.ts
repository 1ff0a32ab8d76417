"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import type { RealtimeAnswer } from "@/components/reports/pages/sheets/realtime";
import { useReportPath } from "@/components/reports/report-path";

const EVERY_MS = 4000;
const MOST_KEPT = 200;

/**
 * The answer of analytics.realtime, asked again and again by its cursor while the page is looked at: each event is told
 * exactly once and kept with those before it.
 */
export function useCursor(first: RealtimeAnswer): RealtimeAnswer {
  const [answer, setAnswer] = useState(first);
  const path = useReportPath();
  const asked = useSearchParams().toString();

  useEffect(() => {
    let { cursor } = first;
    let timer: ReturnType<typeof setTimeout>;
    const leaving = new AbortController();
    async function ask() {
      clearTimeout(timer);
      let waitMs = EVERY_MS;
      if (document.visibilityState === "visible") {
        const query = new URLSearchParams(asked);
        query.set("format", "json");
        query.set("since", cursor);
        const options: RequestInit = { cache: "no-store", redirect: "manual", signal: leaving.signal };
        const response = await fetch(`${path}/download?${query}`, options).catch(() => null);
        // Signed out, here or elsewhere, or no longer of the site: nothing more will come.
        if (leaving.signal.aborted || response?.type === "opaqueredirect" || response?.status === 404) return;
        const next: RealtimeAnswer | null = response?.ok ? await response.json().catch(() => null) : null;
        if (leaving.signal.aborted) return;
        if (next) {
          cursor = next.cursor;
          if (next.meta.truncated) waitMs = 0;
          setAnswer((now) => ({ ...next, events: [...now.events, ...next.events].slice(-MOST_KEPT) }));
        }
      }
      timer = setTimeout(ask, waitMs);
    }
    timer = setTimeout(ask, EVERY_MS);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [first, path, asked]);

  return answer;
}
