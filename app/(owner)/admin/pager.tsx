import Link from "next/link";
import { PAGE_ROWS } from "@/lib/admin/overview";

/** Which page of each list is shown. */
export interface Pages {
  sites: number;
  people: number;
}

/** The ways to the neighbouring pages of one list, while the other stays where it is; nothing when there is only one. */
export function Pager({ list, pages, total }: { list: keyof Pages; pages: Pages; total: number }) {
  const [page, last] = [pages[list], Math.max(1, Math.ceil(total / PAGE_ROWS))];
  if (last === 1 && page === 1) return null;
  const to = (target: number) => {
    const query = new URLSearchParams(Object.entries({ ...pages, [list]: target }).map(([key, at]) => [key, `${at}`]));
    return `/admin?${query}#${list}`;
  };
  const look = "text-accent underline";
  return (
    <nav aria-label={`Pages of ${list}`} className="mt-4 flex items-center gap-4 text-sm">
      {page > 1 && (
        <Link href={to(Math.min(page - 1, last))} prefetch={false} className={look}>
          Previous
        </Link>
      )}
      <span className="text-muted tabular-nums">
        Page {page} of {last}
      </span>
      {page < last && (
        <Link href={to(page + 1)} prefetch={false} className={look}>
          Next
        </Link>
      )}
    </nav>
  );
}
