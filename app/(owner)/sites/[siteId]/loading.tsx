import { PanelsSkeleton, SummarySkeleton } from "@/components/reports/skeletons";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading the dashboard
      </p>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <Skeleton className="h-7 w-48" />
        <div className="flex gap-2">
          <Skeleton className="h-9 w-28" />
          <Skeleton className="h-9 w-36" />
          <Skeleton className="h-9 w-40" />
        </div>
      </div>
      <div className="space-y-4">
        <div className="card">
          <SummarySkeleton />
        </div>
        <PanelsSkeleton />
      </div>
    </>
  );
}
