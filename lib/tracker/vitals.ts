import { page, tell } from "@/lib/tracker/pages";
import type { Part, Settings } from "@/lib/tracker/send";

/**
 * Core Web Vitals by the definitions of Google's web-vitals library, over the whole life of a page: INP and CLS until it
 * is left, and anew for each route of a single-page application. They are told whenever the page is hidden, as far as
 * they have changed. A view of a page may be hidden several times: `view` is the same in each of its reports, and the
 * last of them holds.
 */

interface Entry extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  interactionId: number;
  responseStart: number;
  activationStart: number;
}

/** @param atOnce the page was seen from its start; in one opened in the background, the time to a paint says nothing. */
export function watchVitals(_: Settings, atOnce: boolean): Part {
  // In here the bundler writes them out where they are used, which takes fewer bytes.
  /** A burst of shifts ends after a second without one, or five seconds after it began. */
  const GAP_MS = 1_000;
  const BURST_MS = 5_000;
  /** One in so many interactions may be slower than what is told: the 98th percentile. */
  const PER_OUTLIER = 50;
  /** Views are told apart within a visit: below 2³¹, with room to count on from there. */
  const MOST_VIEWS = 2e9;
  /** Faster interactions are not told apart by browsers' reports. */
  const LEAST_MS = 40;

  const [navigation] = performance.getEntriesByType("navigation") as Entry[];
  // Of a prerendered page, the moment it was put on show; known a little after that.
  const start = () => navigation?.activationStart || 0;
  const sinceStart = (time: number) => Math.max(0, Math.round(time - start()));
  const counted = () => (performance as unknown as { interactionCount?: number }).interactionCount || 0;
  const observers: [PerformanceObserver, (entries: PerformanceEntryList) => void][] = [];

  let current = page;
  /** The first view of the document, until it is hidden: what is painted later does not count. */
  let first = true;
  let view = Math.floor(Math.random() * MOST_VIEWS);
  let told: string | undefined;
  let paints: Record<string, number> = {};
  let cls: number | undefined;
  /** The burst of shifts that goes on: when it began, its last shift, and their sum. */
  let began = 0;
  let last = 0;
  let sum = 0;
  /** The longest duration of each slow interaction, and how many interactions there had been before this page. */
  let slow: Record<number, number> = {};
  let before = 0;

  /** What happens on the way to the next route already belongs to it. */
  const follow = () => {
    if (current && current !== page) {
      view++;
      paints = {};
      cls &&= 0;
      sum = 0;
      slow = {};
      before = counted();
    }
    current = page;
  };

  const observe = (type: string, take: (entry: Entry) => void) => {
    if (!PerformanceObserver.supportedEntryTypes?.includes(type)) return false;
    const each = (entries: PerformanceEntryList) => {
      follow();
      for (const entry of entries) take(entry as Entry);
    };
    const observer = new PerformanceObserver((list) => each(list.getEntries()));
    observer.observe({ type, buffered: true, durationThreshold: LEAST_MS } as PerformanceObserverInit);
    observers.push([observer, each]);
    return true;
  };
  const painted = (name: string) => (entry: Entry) => {
    if (first && (atOnce || start()) && entry.name !== "first-paint") paints[name] = sinceStart(entry.startTime);
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
    if (startTime - last >= GAP_MS || startTime - began >= BURST_MS) sum = 0;
    if (!sum) began = startTime;
    last = startTime;
    sum += value;
    cls = Math.max(cls || 0, sum);
  });
  if (shifts) cls = 0;

  return (leaving) => {
    if (!leaving) return follow();
    for (const [observer, each] of observers) each(observer.takeRecords());
    if (first && navigation?.responseStart) paints.ttfb = sinceStart(navigation.responseStart);
    first = false;
    // Browsers tell durations in steps of 8 ms.
    const slowest = Object.values(slow).sort((a, b) => b - a);
    const inp = slowest[Math.min(slowest.length - 1, Math.floor((counted() - before) / PER_OUTLIER))];
    const vitals = { view, ...paints, inp, cls };
    const now = JSON.stringify(vitals);
    // Without a comma there is nothing but the view.
    if (now !== told && now.includes(",")) tell("vitals", { vitals });
    told = now;
  };
}
