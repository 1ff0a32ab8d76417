import type { Sort } from "@/lib/sites/site-list";

/** URL of a page of the site list. */
export function listUrl({ search, sort, page = 1 }: { search: string; sort: Sort; page?: number }): string {
  const query = new URLSearchParams({
    ...(search && { q: search }),
    ...(sort !== "name" && { sort }),
    ...(page > 1 && { page: `${page}` }),
  });
  return query.size > 0 ? `/sites?${query}` : "/sites";
}
