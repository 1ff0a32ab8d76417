"use client";

import { useSearchParams } from "next/navigation";
import { attributionSentence } from "@/components/reports/attribution-sentence";
import { ViewLink } from "@/components/reports/view-frame";
import type { Attribution } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

const LINK =
  "rounded-md px-2 py-1 text-sm font-medium text-muted hover:text-ink aria-[current=true]:bg-panel aria-[current=true]:text-ink aria-[current=true]:shadow-sm";

const nameOf = (attribution: Attribution) => (attribution === "first" ? t("First touch") : t("Last touch"));

/** The choice of the visit that conversions and revenue are given to, and what it means in a sentence. */
export function AttributionChoice() {
  const current: Attribution = useSearchParams().get("attribution") === "first" ? "first" : "last";
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 print:hidden">
      <fieldset className="flex rounded-lg bg-sunken p-0.5">
        <legend className="sr-only">{t("Attribution")}</legend>
        {(["last", "first"] as const).map((one) => (
          <ViewLink
            key={one}
            patch={{ attribution: one === "last" ? null : one }}
            aria-current={one === current ? "true" : undefined}
            className={LINK}
          >
            {nameOf(one)}
          </ViewLink>
        ))}
      </fieldset>
      <p className="min-w-0 max-w-[46rem] flex-1 basis-72 text-sm text-muted">{attributionSentence(current)}</p>
    </div>
  );
}
