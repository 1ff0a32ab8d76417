"use client";

import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import type { CountryRow } from "@/components/charts/world-map";
import { useSiteAddress } from "@/components/reports/filtering";
import { paramsOf, readFilters, toggled, writeFilters } from "@/components/reports/filters";
import { useFetched } from "@/components/reports/use-fetched";
import { useGo, useViewHref } from "@/components/reports/view-frame";
import { Notice } from "@/components/ui/notice";

const WorldMap = dynamic(() => import("@/components/charts/world-map"), { ssr: false });

/** What of the view's address is about how it is shown, and not about its numbers. */
const SHOWN = ["metric", "interval", "compare", "embed", "theme"];

/** All countries of the view on a map, which is fetched once somebody wants to see it. */
export function CountryMap() {
  const at = useSiteAddress();
  const asked = useSearchParams();
  const href = useViewHref();
  const go = useGo();
  const query = new URLSearchParams(asked);
  for (const name of SHOWN) query.delete(name);
  const { answer, problem } = useFetched<{ rows: CountryRow[] }>(`${at}/countries?${query}`);
  const filters = readFilters(paramsOf(query)) ?? [];
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
