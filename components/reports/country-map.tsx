"use client";

import dynamic from "next/dynamic";
import type { CountryRow } from "@/components/charts/world-map";
import { useSiteBasePath } from "@/components/reports/filtering";
import { type Filter, isChosen, toggledFilter, writeFilters } from "@/components/reports/filters";
import { useFetched } from "@/components/reports/use-fetched";
import { useReportQuery } from "@/components/reports/use-report-query";
import { useGo } from "@/components/reports/view-frame";
import { Failed } from "@/components/ui/failed";
import { Notice } from "@/components/ui/notice";
import { t } from "@/lib/texts/translate";

const WorldMap = dynamic(() => import("@/components/charts/world-map"), { ssr: false });

/** World map of all countries of the view. Code and data load when it is first shown. */
export function CountryMap({ filters }: { filters: readonly Filter[] }) {
  const basePath = useSiteBasePath();
  const go = useGo();
  const { answer, problem, failed, retry } = useFetched<{ rows: CountryRow[] }>(
    `${basePath}/data/countries?${useReportQuery()}`,
  );
  if (failed) return <Failed what={t("the map")} retry={retry} />;
  if (problem) return <Notice>{problem}</Notice>;
  return (
    answer && (
      <WorldMap
        rows={answer.rows}
        chosen={answer.rows.flatMap(({ value }) => (isChosen(filters, "country", value) ? [value] : []))}
        onChoose={(code) => go({ filters: writeFilters(toggledFilter(filters, "country", code)) })}
      />
    )
  );
}
