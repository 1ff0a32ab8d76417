import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <div className="mx-auto max-w-md py-4 sm:py-10">
      <Skeleton className="h-8 w-40" />
      <Skeleton className="mt-2 mb-6 h-5 w-72" />
      <Skeleton className="h-[27rem] w-full" />
    </div>
  );
}
