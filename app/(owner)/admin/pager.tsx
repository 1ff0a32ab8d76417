import { Pager } from "@/components/ui/pager";
import { PAGE_ROWS } from "@/lib/admin/overview";

/** Which page of each list is shown. */
export interface Pages {
  sites: number;
  people: number;
}

/** The ways to the neighbouring pages of one list, while the other stays where it is. */
export function ListPager({ list, pages, total }: { list: keyof Pages; pages: Pages; total: number }) {
  const to = (target: number) => {
    const query = new URLSearchParams(Object.entries({ ...pages, [list]: target }).map(([key, at]) => [key, `${at}`]));
    return `/admin?${query}#${list}`;
  };
  const last = Math.max(1, Math.ceil(total / PAGE_ROWS));
  return <Pager label={`Pages of ${list}`} page={pages[list]} last={last} to={to} />;
}
