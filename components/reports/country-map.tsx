"use client";

import dynamic from "next/dynamic";
import type { CountryRow } from "@/components/charts/world-map";
import { useSiteAddress } from "@/components/reports/filtering";
import { type Filter, toggled, writeFilters } from "@/components/reports/filters";
import { useFetched } from "@/components/reports/use-fetched";
import { useQuestion } from "@/components/reports/use-question";
import { useGo, useViewHref } from "@/components/reports/view-frame";
import { Failed } from "@/components/ui/failed";
import { Notice } from "@/components/ui/notice";

const WorldMap = dynamic(() => import("@/components/charts/world-map"), { ssr: false });

/** All countries of the view on a map, which is fetched once somebody wants to see it. */
export function CountryMap({ filters }: { filters: readonly Filter[] }) {
  const at = useSiteAddress();
  const href = useViewHref();
  const go = useGo();
  const { answer, problem, failed, retry } = useFetched<{ rows: CountryRow[] }>(`${at}/countries?${useQuestion()}`);
  if (failed) return <Failed what="the map" retry={retry} />;
  if (problem) return <Notice>{problem}</Notice>;
  return (
    answer && (
      <WorldMap
        rows={answer.rows}
        onChoose={(code) => go(href({ filters: writeFilters(toggled(filters, "country", code)) }))}
      />
    )
  );
}
