import { Skeleton } from "@/components/ui/skeleton";

const rows = ["w-11/12", "w-4/5", "w-3/5", "w-1/2", "w-2/5", "w-1/3"];

/** Placeholder for a table. */
export const BodySkeleton = () => (
  <div className="card h-96 space-y-3.5 p-4" aria-hidden="true">
    <Skeleton className="mb-5 h-5 w-32" />
    {rows.map((width) => (
      <Skeleton key={width} className={`h-7 ${width}`} />
    ))}
  </div>
);
