"use client";

import Link from "next/link";
import { useSearchParams } from "next/navigation";
import type { WhatChangedAnswer } from "@/components/reports/answers";
import { useSiteBasePath } from "@/components/reports/filtering";
import type { Filter } from "@/components/reports/filters";
import { FindingLine } from "@/components/reports/finding-line";
import { sharedQuery } from "@/components/reports/shared-query";
import { WHAT_CHANGED_HEIGHT, WhatChangedLines } from "@/components/reports/skeletons";
import { useFetched } from "@/components/reports/use-fetched";
import { useReportQuery } from "@/components/reports/use-report-query";
import { useWaiting } from "@/components/reports/view-frame";
import { Failed } from "@/components/ui/failed";
import { Notice } from "@/components/ui/notice";
import { t } from "@/lib/texts/translate";

/** The rest of the view is asked for first. */
const PAUSE_MS = 300;

/** Card of a dashboard with the values that explain how visits, or conversions of the chosen goal, changed. It is as high before its answer as with it. */
export function WhatChanged({ filters }: { filters: readonly Filter[] }) {
  const base = useSiteBasePath();
  const waiting = useWaiting();
  const url = `${base}/data/changes?${useReportQuery({ compared: true })}`;
  const shared = sharedQuery(useSearchParams());
  const { answer, problem, failed, retry, ...fetched } = useFetched<WhatChangedAnswer>(waiting ? null : url, {
    pauseMs: PAUSE_MS,
  });
  const isBusy = waiting || fetched.waiting;
  return (
    <section aria-label={t("What changed")} aria-busy={isBusy} className="card px-4 pt-3.5 pb-2.5">
      <div className="flex items-baseline justify-between gap-x-4">
        <h2 className="text-[0.9375rem] font-semibold">{t("What changed")}</h2>
        <Link
          href={`${base}/reports/changes${shared}`}
          prefetch={false}
          className="shrink-0 text-sm text-accent hover:underline print:hidden"
        >
          {t("All changes")}
        </Link>
      </div>
      <div className={`${WHAT_CHANGED_HEIGHT} ${isBusy && answer ? "is-waiting" : ""}`}>
        {problem !== null && (failed ? <Failed what={t("what changed")} retry={retry} /> : <Notice>{problem}</Notice>)}
        {problem === null && answer === null && <WhatChangedLines />}
        {answer && (
          <>
            <p className="truncate text-sm text-muted" title={answer.total}>
              {answer.total}
            </p>
            {answer.findings.length > 0 ? (
              <ol className="mt-1">
                {answer.findings.map((finding) => (
                  <FindingLine key={`${finding.dimension} ${finding.value}`} {...finding} filters={filters} isCut />
                ))}
              </ol>
            ) : (
              <p className="pt-3 text-sm">{t("No source, page, country or device stands out.")}</p>
            )}
          </>
        )}
      </div>
    </section>
  );
}
