import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading your sites
      </p>
      <div className="mb-5 flex h-10 items-center justify-between">
        <Skeleton className="h-7 w-36" />
        <Skeleton className="h-10 w-32" />
      </div>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {["a", "b", "c"].map((key) => (
          <Skeleton key={key} className="h-[9.4rem]" />
        ))}
      </div>
    </>
  );
}
