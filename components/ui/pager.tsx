import Link from "next/link";
import { t } from "@/lib/texts/translate";

interface Props {
  /** Accessible name, such as "Pages of sites". */
  label: string;
  page: number;
  last: number;
  /** Returns the URL of a page of the list. */
  to(page: number): string;
}

/** Links to the previous and the next page of a list; renders nothing for a single page. */
export function Pager({ label, page, last, to }: Props) {
  if (last === 1 && page === 1) return null;
  const look = "text-accent underline";
  return (
    <nav aria-label={label} className="mt-4 flex items-center gap-4 text-sm">
      {page > 1 && (
        <Link href={to(Math.min(page - 1, last))} prefetch={false} className={look}>
          {t("Previous")}
        </Link>
      )}
      <span className="text-muted tabular-nums">{t("Page {page} of {last}", { page, last })}</span>
      {page < last && (
        <Link href={to(page + 1)} prefetch={false} className={look}>
          {t("Next")}
        </Link>
      )}
    </nav>
  );
}
