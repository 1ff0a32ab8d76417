"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useTransition } from "react";
import type { Asked, Chart } from "@/components/reports/answers";
import { type LiveChart, useChartQuestion, useLive } from "@/components/reports/live-numbers";
import { useNow, usePulse } from "@/components/reports/use-pulse";
import { formatExactly } from "@/components/ui/format";
import { formatRelative } from "@/components/ui/relative-time";
import type { LastEvent } from "@/lib/sites/last-event";

const NUMBERS_EVERY_MS = 3_000;
/** Reports may be read from a copy that is a moment older than the event that they are asked for. */
const SETTLED_MS = 5_000;
/** Whole reports on a dashboard are rendered by the server, each with statements of its own. */
const REPORTS_EVERY_MS = 60_000;
const FRESH_MS = 5 * 60_000;

interface Props {
  at: string;
  first: LastEvent;
  growing: boolean;
  /** The numbers that came with the page. */
  chart: Promise<Asked<Chart>>;
  /** The page shows whole reports, which only it can bring up to date. */
  rendersReports?: boolean;
  /** The address of the report about the present, where there is one. */
  realtime?: string;
}

/**
 * Keeps an open dashboard up to date: a new event brings new numbers, the first at once, then at most every three seconds,
 * until they certainly count it. They come as JSON. The page is rendered again only where they do not fit into it, and once a minute where it shows whole
 * reports. A range that is over (`growing` is false) stays as it is.
 */
export function Live({ at, first, growing, chart, rendersReports = false, realtime }: Props) {
  const { last_event_at: lastEvent, present } = usePulse(at, first);
  const { at: readAt } = useLive();
  const update = useEffectEvent(useUpdate(at, chart, rendersReports));
  // The numbers that came with the page may have been read from a copy without the newest event.
  const isSettled = first.last_event_at !== null && readAt - Date.parse(first.last_event_at) > SETTLED_MS;
  const shown = useRef(isSettled ? first.last_event_at : null);
  const updatedAt = useRef(0);
  const now = useNow(1000);

  useEffect(() => {
    if (!growing || lastEvent === shown.current) return;
    const settledAt = Date.now() + SETTLED_MS;
    let timer: ReturnType<typeof setTimeout>;
    let over = false;
    async function updateNow() {
      const began = Date.now();
      updatedAt.current = began;
      const isUpdated = await update();
      if (isUpdated && began >= settledAt) shown.current = lastEvent;
      else if (!over) timer = setTimeout(updateNow, NUMBERS_EVERY_MS);
    }
    timer = setTimeout(updateNow, Math.max(0, updatedAt.current + NUMBERS_EVERY_MS - Date.now()));
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [lastEvent, growing]);

  if (!lastEvent) return null;
  const age = now === null ? null : Math.max(0, now - Date.parse(lastEvent));
  const fresh = age !== null && age < FRESH_MS;
  return (
    <div className="flex items-center gap-x-3 text-sm whitespace-nowrap text-muted tabular-nums">
      <Present {...{ present, fresh, realtime }} />
      {/* A fixed width: a longer text would move the toolbar to the next line. Hidden until the browser's clock is known. */}
      <p className={`min-w-48 ${age === null ? "invisible" : ""}`}>Last event {formatRelative(-(age ?? 0))}</p>
    </div>
  );
}

/**
 * @returns fetches the view's numbers and shows them, or renders the page again where that is needed; false when they
 *   could not be fetched now
 */
function useUpdate(at: string, chart: Promise<Asked<Chart>>, rendersReports: boolean): () => Promise<boolean> {
  const question = useChartQuestion();
  const { show } = useLive();
  const router = useRouter();
  const [, start] = useTransition();
  const renderedAt = useRef(0);

  return async () => {
    const response = await fetch(`${at}/chart?${question}`, { cache: "no-store" }).catch(() => null);
    const next: Omit<LiveChart, "question"> | null = response?.ok ? await response.json().catch(() => null) : null;
    // Signed out, or no longer shown to all: nothing more will come.
    if (!next) return [401, 404].includes(response?.status ?? 0);
    const known = await chart.catch(() => null);
    const fits = known?.ok && frameOf(known.answer) === frameOf(next.chart);
    if (fits && !(rendersReports && Date.now() - renderedAt.current > REPORTS_EVERY_MS)) {
      show({ ...next, question });
      return true;
    }
    // Offline, Next would replace the page by the browser's own error page.
    if (!navigator.onLine) return false;
    renderedAt.current = Date.now();
    start(() => router.refresh());
    return true;
  };
}

/** What of the answer the page itself shows: its days, the notes about them, and whether there is anything at all. */
function frameOf({ metrics, meta }: Chart): string {
  const isEmpty = metrics.visits + metrics.pageviews + metrics.events === 0;
  return JSON.stringify([isEmpty, meta.from, meta.to, meta.interval, meta.imported, meta.kept_from]);
}

/**
 * How many are there: where that leads on, in the top right corner of the page, beside the reports (which leave no room
 * for it on a screen of 1024 to 1279 pixels); elsewhere in its place.
 */
function Present({ present, fresh, realtime }: { present: number; fresh: boolean; realtime: string | undefined }) {
  const words = (
    <>
      <span className="relative flex size-2" aria-hidden="true">
        {fresh && <span className="absolute size-full animate-ping rounded-full bg-good opacity-60" />}
        <span className={`size-2 rounded-full ${fresh ? "bg-good" : "bg-line-strong"}`} />
      </span>
      <span>
        {formatExactly(present)}{" "}
        <span className={realtime && "xl:sr-only"}>{present === 1 ? "visitor" : "visitors"}</span> now
      </span>
    </>
  );
  const look = "flex items-center gap-2 font-medium text-ink";
  if (!realtime) return <p className={look}>{words}</p>;
  return (
    <Link
      href={realtime}
      prefetch={false}
      className={`${look} rounded-md hover:text-accent max-lg:absolute xl:absolute right-0 bottom-full mb-3.5 lg:max-xl:mb-0 h-9 print:hidden`}
      title="Who did anything in the last five minutes"
    >
      {words}
    </Link>
  );
}
