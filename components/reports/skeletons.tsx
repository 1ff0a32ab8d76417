import { Skeleton } from "@/components/ui/skeleton";
import { t } from "@/lib/texts/translate";

const six = ["a", "b", "c", "d", "e", "f"];

/** Placeholder for the headline metrics and the chart. @param annotates whether the user can add annotations */
export function SummarySkeleton({ annotates = false }: { annotates?: boolean }) {
  return (
    <div aria-hidden="true">
      <div className="grid grid-cols-2 gap-px overflow-clip rounded-t-xl border-b border-line bg-line sm:grid-cols-3 lg:grid-cols-6">
        {six.map((key) => (
          <div key={key} className="h-[6.4rem] space-y-2.5 bg-surface px-4 pt-4">
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-6 w-16" />
            <Skeleton className="h-3.5 w-24" />
          </div>
        ))}
      </div>
      <div className="px-6 pt-3 pb-2">
        <Skeleton className="my-2 h-4 w-56" />
        <Skeleton className="mt-1 h-72 w-full" />
        <Skeleton className="my-2 h-4 w-72" />
      </div>
      {annotates && <div className="h-12 border-t border-line" />}
    </div>
  );
}

/** Placeholder for what changed, as high as the card. */
export const WhatChangedSkeleton = () => (
  <div aria-hidden="true" className="card px-4 pt-3.5 pb-2.5">
    <h2 className="text-[0.9375rem] font-semibold">{t("What changed")}</h2>
    <WhatChangedLines />
  </div>
);

/** Placeholder for the lines of what changed. */
export const WhatChangedLines = () => (
  <div aria-hidden="true" className={`space-y-3 pt-1 ${WHAT_CHANGED_HEIGHT}`}>
    <Skeleton className="h-4 w-56" />
    <Skeleton className="h-5 w-11/12 sm:w-3/5" />
    <Skeleton className="h-5 w-4/5 sm:w-1/2" />
    <Skeleton className="h-5 w-10/12 sm:w-2/5" />
  </div>
);

/** Room for three lines, of two rows on a phone. */
export const WHAT_CHANGED_HEIGHT = "h-[10.5rem] sm:h-[7.75rem]";

/** Placeholder for the panels. */
export function PanelsSkeleton() {
  return (
    <div className="grid gap-4 lg:grid-cols-2" aria-hidden="true">
      {six.slice(0, 4).map((key) => (
        <div key={key} className="card h-[27.5rem] space-y-3 p-4">
          <Skeleton className="h-5 w-28" />
          {six.map((row, index) => (
            <Skeleton key={row} className={`h-7 ${["w-11/12", "w-4/5", "w-3/5", "w-1/2", "w-2/5", "w-1/3"][index]}`} />
          ))}
        </div>
      ))}
    </div>
  );
}
