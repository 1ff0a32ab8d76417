"use client";

import Link from "next/link";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type Chart, hasNothing, type QueryResult } from "@/components/reports/answers";
import { type LiveChart, useChartQuery, useLive } from "@/components/reports/live-numbers";
import { useLastEvent, useNow } from "@/components/reports/use-last-event";
import { PresentDot } from "@/components/ui/dots";
import { pollJson } from "@/components/ui/polling";
import { formatRelative } from "@/components/ui/relative-time";
import { rich } from "@/components/ui/rich";
import { usePageRefresh } from "@/components/ui/use-page-refresh";
import type { LastEvent } from "@/lib/sites/last-event";
import { t } from "@/lib/texts/translate";

const NUMBERS_EVERY_MS = 3_000;
/** Reports may be read from a copy that lags behind new events by up to this time. */
const SETTLED_MS = 5_000;
/** Full reports on a dashboard are refreshed less often, because the server renders each with its own queries. */
const REPORTS_EVERY_MS = 60_000;
const FRESH_MS = 5 * 60_000;

interface Props {
  /** Path of the dashboard, below which its JSON routes are. */
  basePath: string;
  first: LastEvent;
  /** Whether the range includes now. */
  growing: boolean;
  /** The numbers of the page. */
  chart: Promise<QueryResult<Chart>>;
  /** Whether the page shows full reports, which only a page refresh updates. */
  rendersReports?: boolean;
  /** URL of the realtime report, if the reader can open it. */
  realtime?: string;
}

/**
 * Keeps an open dashboard up to date: after a new event it fetches the numbers as JSON, at once and then every three
 * seconds until they surely include the event. Refreshes the page only if the new numbers do not fit into it, and once
 * a minute if it shows full reports. Does nothing for a range in the past.
 */
export function Live({ basePath, first, growing, chart, rendersReports, realtime }: Props) {
  const { last_event_at: lastEvent, active_visitors: present } = useLastEvent(basePath, first);
  useNumbersSince(lastEvent, { basePath, first, growing, chart, rendersReports });
  const now = useNow(1000);

  if (!lastEvent) return null;
  const age = now === null ? null : Math.max(0, now - Date.parse(lastEvent));
  const fresh = age !== null && age < FRESH_MS;
  return (
    <div className="flex items-center gap-x-3 text-sm whitespace-nowrap text-muted tabular-nums">
      <PresentVisitors present={present} fresh={fresh} realtime={realtime} />
      {/* A fixed width: a longer text would move the toolbar to the next line. Hidden until the browser's clock is known. */}
      <p className={`min-w-48 ${age === null ? "invisible" : ""}`}>
        {t("Last event {time}", { time: formatRelative(-(age ?? 0)) })}
      </p>
    </div>
  );
}

/** Fetches the numbers of the view until they surely include the latest event. */
function useNumbersSince(lastEvent: string | null, { basePath, first, growing, chart, rendersReports = false }: Props) {
  const { readAt } = useLive();
  const query = useChartQuery();
  const show = useShow(chart, rendersReports);
  // The numbers of the page may have been read from a copy without the latest event.
  const isSettled = first.last_event_at !== null && readAt - Date.parse(first.last_event_at) > SETTLED_MS;
  const [included, setIncluded] = useState(isSettled ? first.last_event_at : null);
  const isBehind = growing && lastEvent !== included;
  const settledAt = useRef(0);
  const asked = useRef({ query, at: 0 });

  useEffect(() => {
    if (lastEvent) settledAt.current = Date.now() + SETTLED_MS;
  }, [lastEvent]);

  const address = useEffectEvent(() => {
    asked.current = { query, at: Date.now() };
    return `${basePath}/data/chart?${query}`;
  });
  const take = useEffectEvent(async (next: Numbers) => {
    const { query, at } = asked.current;
    const includes = at >= settledAt.current;
    if ((await show({ ...next, query })) && includes) setIncluded(lastEvent);
    return undefined;
  });

  useEffect(() => {
    if (!isBehind) return;
    const firstMs = Math.max(0, asked.current.at + NUMBERS_EVERY_MS - Date.now());
    return pollJson<Numbers>(
      { firstMs, everyMs: NUMBERS_EVERY_MS },
      () => address(),
      (next) => take(next),
    );
  }, [isBehind]);
}

type Numbers = Omit<LiveChart, "query">;

/** Returns a function that shows numbers, or refreshes the page if they do not fit into it; false if it can do neither. */
function useShow(chart: Promise<QueryResult<Chart>>, rendersReports: boolean): (next: LiveChart) => Promise<boolean> {
  const { show } = useLive();
  const refresh = usePageRefresh();
  const renderedAt = useRef(0);

  return async (next) => {
    // A promise from a Server Component has no working `catch`.
    const known = await Promise.resolve(chart).catch(() => null);
    const fits = known?.ok && frameOf(known.answer) === frameOf(next.chart);
    if (fits && !(rendersReports && Date.now() - renderedAt.current > REPORTS_EVERY_MS)) {
      show(next);
      return true;
    }
    if (!refresh()) return false;
    renderedAt.current = Date.now();
    return true;
  };
}

/** Returns the parts of the answer that the server renders: the range, its notes and whether there is any data. */
function frameOf({ metrics, meta }: Chart): string {
  const isEmpty = hasNothing(metrics);
  return JSON.stringify([isEmpty, meta.from, meta.to, meta.interval, meta.imported, meta.kept_from]);
}

/**
 * The number of current visitors. As a link it is in the top right corner of the page, beside the report links (which
 * leave no space for it at 1024 to 1279 pixels); otherwise it is shown in place.
 */
function PresentVisitors({
  present,
  fresh,
  realtime,
}: {
  present: number;
  fresh: boolean;
  realtime: string | undefined;
}) {
  const words = (
    <>
      <PresentDot isLive={fresh} size="size-2" />
      <span>
        {rich("{count, number} <unit>{count, plural, one {visitor} other {visitors}}</unit> now", {
          count: present,
          unit: (text) => <span className={realtime && "xl:sr-only"}>{text}</span>,
        })}
      </span>
    </>
  );
  const look = "flex items-center gap-2 font-medium text-ink";
  if (!realtime) return <p className={look}>{words}</p>;
  return (
    <Link
      href={realtime}
      prefetch={false}
      className={`${look} rounded-md hover:text-accent absolute right-0 bottom-full mb-3.5 h-9 print:hidden`}
      title={t("Visitors active in the last five minutes")}
    >
      {words}
    </Link>
  );
}
