"use client";

import { useEffect, useRef, useState } from "react";
import { usePolled } from "@/components/ui/polling";
import type { LastEvent } from "@/lib/sites/last-event";

const PAUSES = { everyMs: 1_500, idleMs: 30_000 };

/**
 * Polls the last event of a site while the page is visible, the less often the longer nothing happens.
 *
 * @param basePath path of the dashboard; `/data/last-event` below it answers.
 */
export const useLastEvent = <T extends LastEvent>(basePath: string, first: T, watching = true): T =>
  usePolled(PAUSES, watching ? `${basePath}/data/last-event` : null, first);

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
