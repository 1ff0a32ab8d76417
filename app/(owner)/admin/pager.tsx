import { Pager } from "@/components/ui/pager";
import { PAGE_ROWS } from "@/lib/admin/overview";
import { t } from "@/lib/texts/translate";

/** Page numbers of the lists, and the words that both are searched for. */
export interface Pages {
  sites: number;
  people: number;
  q: string;
}

/** Pagination links of one list; the other list keeps its page. */
export function ListPager({ list, pages, total }: { list: "sites" | "people"; pages: Pages; total: number }) {
  const to = (target: number) => {
    const query = new URLSearchParams(
      Object.entries({ ...pages, [list]: target })
        .map(([key, value]) => [key, `${value}`])
        .filter(([, value]) => value !== ""),
    );
    return `/admin?${query}#${list}`;
  };
  const last = Math.max(1, Math.ceil(total / PAGE_ROWS));
  return (
    <Pager
      label={list === "sites" ? t("Pages of sites") : t("Pages of people")}
      page={pages[list]}
      last={last}
      to={to}
    />
  );
}
