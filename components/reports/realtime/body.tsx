"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useState, useSyncExternalStore } from "react";
import { countsOf } from "@/components/charts/series";
import { SeriesChart } from "@/components/charts/series-chart";
import { DataTable } from "@/components/reports/parts/data-table";
import { type RealtimeAnswer, realtimeSheets } from "@/components/reports/realtime/sheets";
import { useReportPath } from "@/components/reports/report-path";
import type { Sheet } from "@/components/reports/sheet";
import { PresentDot } from "@/components/ui/dots";
import { pollJson } from "@/components/ui/polling";
import { formatExactly } from "@/lib/contract/numbers";
import { countryName } from "@/lib/platform/intl-names";
import { currentLanguage, t } from "@/lib/texts/translate";

const PAUSES = { everyMs: 4_000, idleMs: 30_000 };
const MOST_KEPT = 200;

/** Report: the current visitors and the latest events, updated while the page is visible. */
export function RealtimeReport({ first }: { first: RealtimeAnswer }) {
  const answer = useCursor(first);
  const sheets = realtimeSheets(answer, useCountryNames());
  const sheet = (name: string) => sheets.find(({ key }) => key === name);
  const [minutes, events] = [sheet("minutes"), sheet("events")];
  const present = sheets.filter(({ key }) => key === "pages" || key === "sources" || key === "countries");
  return (
    <>
      <Now answer={answer} minutes={minutes} />
      <div className="grid gap-4 lg:grid-cols-3">
        {present.map((one) => (
          <DataTable key={one.key} sheet={one} empty={t("No visitors right now.")} />
        ))}
      </div>
      {events && (
        <DataTable
          sheet={events}
          about={t("Newest first. Open a page of your site in another tab; it appears here within seconds.")}
          empty={t("No events in the last 30 minutes.")}
        />
      )}
    </>
  );
}

const nameOfCountry = (code: string): string => countryName(code, currentLanguage());

/** Returns what names countries: as soon as the page is hydrated, because the names of the server may differ. */
function useCountryNames(): ((code: string) => string) | undefined {
  return useSyncExternalStore(
    () => () => {},
    () => nameOfCountry,
    () => undefined,
  );
}

/**
 * Polls analytics.realtime with its cursor while the page is visible. New events are appended to the earlier ones, each
 * exactly once.
 */
function useCursor(first: RealtimeAnswer): RealtimeAnswer {
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

/** The number of current visitors and of visitors in each of the last minutes. */
function Now({ answer, minutes }: { answer: RealtimeAnswer; minutes: Sheet | undefined }) {
  const buckets = answer.minutes.map(({ start }, index) => ({
    start,
    label: start,
    name: `${minutes?.rows[index]?.[0]}`,
    partial: index === answer.minutes.length - 1,
  }));
  return (
    <div className="card grid md:grid-cols-[14rem_minmax(0,1fr)]">
      <p className="flex flex-col justify-center gap-1 px-4 pt-4 md:pb-4">
        <span className="flex items-center gap-3 text-4xl font-semibold tabular-nums">
          <PresentDot isLive={answer.visitors > 0} size="size-2.5" />
          {formatExactly(answer.visitors)}
        </span>
        <span className="text-sm text-muted">
          {t("{count, plural, one {visitor} other {visitors}} in the last five minutes", { count: answer.visitors })}
        </span>
      </p>
      <SeriesChart
        title={t("Visitors by minute")}
        kind="bars"
        interval="minute"
        growing
        height="h-44"
        buckets={buckets}
        series={[countsOf(answer.minutes, "visitors", t("Visitors"))]}
      />
    </div>
  );
}
