"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import type { RealtimeAnswer } from "@/components/reports/pages/sheets/realtime";
import { useReportPath } from "@/components/reports/report-path";

const EVERY_MS = 4000;
const MOST_KEPT = 200;

/**
 * Polls analytics.realtime with its cursor while the page is visible. New events are appended to the earlier ones, each
 * exactly once.
 */
export function useCursor(first: RealtimeAnswer): RealtimeAnswer {
  const [answer, setAnswer] = useState(first);
  const path = useReportPath();
  const searchParams = useSearchParams().toString();

  useEffect(() => {
    let { cursor } = first;
    let timer: ReturnType<typeof setTimeout>;
    const controller = new AbortController();
    async function poll() {
      clearTimeout(timer);
      let waitMs = EVERY_MS;
      if (document.visibilityState === "visible") {
        const query = new URLSearchParams(searchParams);
        query.set("format", "json");
        query.set("since", cursor);
        const options: RequestInit = { cache: "no-store", redirect: "manual", signal: controller.signal };
        const response = await fetch(`${path}/download?${query}`, options).catch(() => null);
        // Signed out, or no longer a member of the site: further requests would fail too.
        if (controller.signal.aborted || response?.type === "opaqueredirect" || response?.status === 404) return;
        const next: RealtimeAnswer | null = response?.ok ? await response.json().catch(() => null) : null;
        if (controller.signal.aborted) return;
        if (next) {
          cursor = next.cursor;
          if (next.meta.truncated) waitMs = 0;
          setAnswer((now) => ({ ...next, events: [...now.events, ...next.events].slice(-MOST_KEPT) }));
        }
      }
      timer = setTimeout(poll, waitMs);
    }
    timer = setTimeout(poll, EVERY_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [first, path, searchParams]);

  return answer;
}
