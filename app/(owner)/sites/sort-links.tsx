import Link from "next/link";
import { SORTS, type Sort } from "@/lib/sites/site-list";
import { listUrl } from "./list-url";

const LABELS: Record<Sort, [label: string, about: string]> = {
  name: ["Name", "From A to Z"],
  visitors: ["Visitors", "Most visitors in 7 days first"],
  change: ["Change", "Largest growth over the previous 7 days first"],
  live: ["Live", "Most visitors in the last 5 minutes first"],
  created: ["Newest", "Last added first"],
};

/** Links to sort the site list. Pinned sites always come first. */
export const SortLinks = ({ search, sort }: { search: string; sort: Sort }) => (
  <nav aria-label="Sort sites by" className="flex w-full flex-wrap items-center gap-1 text-sm">
    <span className="mr-1 text-muted max-sm:sr-only" aria-hidden="true">
      Sort by
    </span>
    {SORTS.map((one) => (
      <Link
        key={one}
        href={listUrl({ search, sort: one })}
        prefetch={false}
        scroll={false}
        title={LABELS[one][1]}
        aria-current={one === sort}
        className="rounded-md px-2.5 py-1 text-muted hover:bg-sunken hover:text-ink aria-[current=true]:bg-accent-soft aria-[current=true]:font-medium aria-[current=true]:text-accent"
      >
        {LABELS[one][0]}
      </Link>
    ))}
  </nav>
);
