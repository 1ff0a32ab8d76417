"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import type { RealtimeAnswer } from "@/components/reports/realtime/sheets";
import { useReportPath } from "@/components/reports/report-path";
import { pollJson } from "@/components/ui/polling";

const PAUSES = { everyMs: 4_000, idleMs: 30_000 };
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
    const address = () => {
      const query = new URLSearchParams(searchParams);
      query.set("format", "json");
      query.set("since", cursor);
      return `${path}/download?${query}`;
    };
    return pollJson<RealtimeAnswer>(PAUSES, address, (next) => {
      cursor = next.cursor;
      setAnswer((now) => ({ ...next, events: [...now.events, ...next.events].slice(-MOST_KEPT) }));
      if (next.meta.truncated) return "at once";
      return next.events.length > 0 ? "news" : undefined;
    });
  }, [first, path, searchParams]);

  return answer;
}
