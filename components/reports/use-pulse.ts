"use client";

import { useEffect, useRef, useState } from "react";
import type { LastEvent } from "@/lib/sites/last-event";

const EVERY_MS = 1500;

/** Asks for a site's pulse again and again while the page is looked at. */
export function usePulse<T extends LastEvent>(at: string, first: T, watching = true): T {
  const [pulse, setPulse] = useState(first);

  useEffect(() => {
    if (!watching) return;
    let timer: ReturnType<typeof setTimeout>;
    let over = false;
    async function ask() {
      clearTimeout(timer);
      if (document.visibilityState === "visible") {
        const answer = await fetch(`${at}/pulse`, { cache: "no-store" }).catch(() => null);
        const next: T | null = answer?.ok ? await answer.json().catch(() => null) : null;
        // Signed out, here or elsewhere, or no longer shown to all: nothing more will come.
        if (over || [401, 404].includes(answer?.status ?? 0)) return;
        if (next) setPulse((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
      }
      timer = setTimeout(ask, EVERY_MS);
    }
    timer = setTimeout(ask, EVERY_MS);
    document.addEventListener("visibilitychange", ask);
    return () => {
      over = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [at, watching]);

  return pulse;
}

/** The present moment, moving on every `everyMs`. null until the browser has taken over, whose clock it is. */
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
