"use client";

import { useEffect, useState } from "react";
import type { TrackingTest } from "@/lib/sites/tracking-shape";

/** Hits on the page: those that are kept of a window. */
const MOST_SHOWN = 200;

export interface Live {
  test: TrackingTest;
  /** Seconds until the test ends by itself, by this browser's clock. */
  left: number;
  /** Whether what happens still reaches this page. */
  connected: boolean;
  /** Puts what an action has answered in the place of what is known. */
  put(test: TrackingTest): void;
}

/** A site's tracking test, true by itself while it runs. */
export function useTest(siteId: number, first: TrackingTest): Live {
  const [test, setTest] = useState(first);
  const [connected, setConnected] = useState(true);
  const running = test.status === "running";
  const left = useSecondsLeft(test);

  useEffect(() => {
    if (!running) return;
    const source = new EventSource(`/sites/${siteId}/settings/tracking/stream`);
    source.onopen = () => setConnected(true);
    source.onerror = () => setConnected(source.readyState !== EventSource.CLOSED);
    source.onmessage = ({ data }) => setTest((now) => merge(now, JSON.parse(data)));
    return () => source.close();
  }, [siteId, running]);

  return { test, left, connected, put: setTest };
}

/** What is new beside what is known already of the same test. */
function merge(known: TrackingTest, next: TrackingTest): TrackingTest {
  if (known.started_at !== next.started_at) return next;
  const fresh = new Set(next.hits.map(({ id }) => id));
  const hits = [...next.hits, ...known.hits.filter(({ id }) => !fresh.has(id))];
  hits.sort((a, b) => Number(b.id) - Number(a.id));
  return { ...next, hits: hits.slice(0, MOST_SHOWN) };
}

function useSecondsLeft({ ends_at, seconds_left }: TrackingTest): number {
  const [left, setLeft] = useState(seconds_left);

  // Counted from what the server says, whatever this browser's clock does; `ends_at` moves when a test is made longer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    setLeft(seconds_left);
    if (seconds_left === 0) return;
    const endsAt = performance.now() + seconds_left * 1000;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [ends_at, seconds_left]);

  return left;
}
