"use client";

import { useEffect, useRef, useState } from "react";
import { startPolling } from "@/components/ui/polling";
import type { LastEvent } from "@/lib/sites/last-event";

const PAUSES = { everyMs: 1_500, idleMs: 30_000 };

/**
 * Polls the last event of a site while the page is visible, the less often the longer nothing happens.
 *
 * @param basePath path of the dashboard; `/data/last-event` below it answers.
 */
export function useLastEvent<T extends LastEvent>(basePath: string, first: T, watching = true): T {
  const [lastEvent, setLastEvent] = useState(first);
  const known = useRef(JSON.stringify(first));

  useEffect(() => {
    if (!watching) return;
    return startPolling(PAUSES, async (signal) => {
      const response = await fetch(`${basePath}/data/last-event`, { cache: "no-store", signal }).catch(() => null);
      const next: T | null = response?.ok ? await response.json().catch(() => null) : null;
      // Signed out, or the dashboard is no longer public: further requests would fail too.
      if ([401, 404].includes(response?.status ?? 0)) return "never";
      if (!next || JSON.stringify(next) === known.current) return undefined;
      known.current = JSON.stringify(next);
      setLastEvent(next);
      return "news";
    });
  }, [basePath, watching]);

  return lastEvent;
}

/** Returns the current time (epoch ms), updated every `everyMs`; null until hydration. */
export function useNow(everyMs: number): number | null {
  const [now, setNow] = useState<number | null>(null);
  const every = useRef(everyMs);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), every.current);
    return () => clearInterval(timer);
  }, []);
  return now;
}
