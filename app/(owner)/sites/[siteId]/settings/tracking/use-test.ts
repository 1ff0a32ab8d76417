"use client";

import { useEffect, useState } from "react";
import type { TrackingTest } from "@/lib/sites/tracking-shape";

/** How many events the page shows, the same as the server keeps. */
const MAX_EVENTS = 200;

export interface Live {
  test: TrackingTest;
  /** Seconds until the test ends. */
  left: number;
  /** Whether the event stream is connected. */
  connected: boolean;
  /** Replaces the state with the response of an action. */
  put(test: TrackingTest): void;
}

/** The live test of a site, updated from the event stream while it runs. */
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

/** Adds the new events to the known ones of the same test. */
function merge(known: TrackingTest, next: TrackingTest): TrackingTest {
  if (known.started_at !== next.started_at) return next;
  const fresh = new Set(next.hits.map(({ id }) => id));
  const hits = [...next.hits, ...known.hits.filter(({ id }) => !fresh.has(id))];
  hits.sort((a, b) => Number(b.id) - Number(a.id));
  return { ...next, hits: hits.slice(0, MAX_EVENTS) };
}

function useSecondsLeft({ ends_at, seconds_left }: TrackingTest): number {
  const [left, setLeft] = useState(seconds_left);

  // Counts down from the server's value, independent of the browser's clock. `ends_at` changes when a test is extended.
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
