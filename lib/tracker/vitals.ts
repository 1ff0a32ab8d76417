import { page, sendEvent } from "@/lib/tracker/pages";
import type { Plugin, Settings } from "@/lib/tracker/send";

/**
 * Core Web Vitals as defined by Google's web-vitals library, over the whole life of a page: INP and CLS until the page
 * is left, and reset for each route of a single-page application. Sent whenever the page is hidden, if they have
 * changed. All reports of one page view have the same `view`, and the last one counts.
 */

interface Entry extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  interactionId: number;
  responseStart: number;
  activationStart: number;
}

/** @param visibleAtStart whether the page was visible from its start; in a background tab, paint times mean nothing. */
export function watchVitals(_: Settings, visibleAtStart: boolean): Plugin {
  // Declared inside the function so that the bundler inlines them, which saves bytes.
  /** A session window of shifts ends after a second without shifts, or five seconds after its start. */
  const GAP_MS = 1_000;
  const WINDOW_MS = 5_000;
  /** One interaction in this many may be slower than the reported one: the 98th percentile. */
  const PER_OUTLIER = 50;
  /** Random ids of views, unique within a visit: below 2³¹, with room to increment. */
  const MAX_VIEW = 2e9;
  /** Shortest interaction that is observed, in milliseconds. */
  const MIN_DURATION_MS = 40;

  const [navigation] = performance.getEntriesByType("navigation") as Entry[];
  // For a prerendered page, the time of its activation, which becomes known only later.
  const start = () => navigation?.activationStart || 0;
  const sinceStart = (time: number) => Math.max(0, Math.round(time - start()));
  const interactionCount = () => (performance as unknown as { interactionCount?: number }).interactionCount || 0;
  const observers: [PerformanceObserver, (entries: PerformanceEntryList) => void][] = [];

  let current = page;
  /** Whether this is the document's first view, until it is hidden: later paints do not count. */
  let first = true;
  let view = Math.floor(Math.random() * MAX_VIEW);
  let lastSent: string | undefined;
  let paints: Record<string, number> = {};
  let cls: number | undefined;
  /** The current session window of shifts: its start, its last shift, and their sum. */
  let windowStart = 0;
  let lastShift = 0;
  let windowSum = 0;
  /** The longest duration of each slow interaction, and the number of interactions before this page. */
  let slow: Record<number, number> = {};
  let interactionsBefore = 0;

  /** Starts a new view when the route has changed: entries during navigation belong to the next route. */
  const startView = () => {
    if (current && current !== page) {
      view++;
      paints = {};
      cls &&= 0;
      windowSum = 0;
      slow = {};
      interactionsBefore = interactionCount();
    }
    current = page;
  };

  const observe = (type: string, handle: (entry: Entry) => void) => {
    if (!PerformanceObserver.supportedEntryTypes?.includes(type)) return false;
    const handleAll = (entries: PerformanceEntryList) => {
      startView();
      for (const entry of entries) handle(entry as Entry);
    };
    const observer = new PerformanceObserver((list) => handleAll(list.getEntries()));
    observer.observe({ type, buffered: true, durationThreshold: MIN_DURATION_MS } as PerformanceObserverInit);
    observers.push([observer, handleAll]);
    return true;
  };
  const painted = (name: string) => (entry: Entry) => {
    if (first && (visibleAtStart || start()) && entry.name !== "first-paint")
      paints[name] = sinceStart(entry.startTime);
  };
  observe("paint", painted("fcp"));
  observe("largest-contentful-paint", painted("lcp"));

  const interacted = ({ interactionId: id, duration }: Entry) => {
    if (id) slow[id] = Math.max(slow[id] || 0, duration);
  };
  observe("event", interacted);
  observe("first-input", interacted);

  const shifts = observe("layout-shift", ({ startTime, value, hadRecentInput }) => {
    if (hadRecentInput) return;
    if (startTime - lastShift >= GAP_MS || startTime - windowStart >= WINDOW_MS) windowSum = 0;
    if (!windowSum) windowStart = startTime;
    lastShift = startTime;
    windowSum += value;
    cls = Math.max(cls || 0, windowSum);
  });
  if (shifts) cls = 0;

  return (leaving) => {
    if (!leaving) return startView();
    for (const [observer, handleAll] of observers) handleAll(observer.takeRecords());
    if (first && navigation?.responseStart) paints.ttfb = sinceStart(navigation.responseStart);
    first = false;
    // Browsers round durations to 8 ms.
    const durations = Object.values(slow).sort((a, b) => b - a);
    const inp =
      durations[Math.min(durations.length - 1, Math.floor((interactionCount() - interactionsBefore) / PER_OUTLIER))];
    const vitals = { view, ...paints, inp, cls };
    const now = JSON.stringify(vitals);
    // Without a comma, the object has only the view.
    if (now !== lastSent && now.includes(",")) sendEvent("vitals", { vitals });
    lastSent = now;
  };
}
