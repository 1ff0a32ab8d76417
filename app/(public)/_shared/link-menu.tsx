import Link from "next/link";
import { REPORTS } from "@/lib/contract/reports";
import type { ShareLimits } from "@/lib/sites/share-limits";
import { t } from "@/lib/texts/translate";

interface Props {
  limits: ShareLimits;
  /** Path of the pages of the link. */
  home: string;
  /** Key of the report that is shown; null for the dashboard. */
  current: string | null;
}

/** Navigation between the dashboard and the reports of a link; nothing if it has only one page. */
export function LinkMenu({ limits: { dashboard, reports }, home, current }: Props) {
  const pages = [
    ...(dashboard ? [{ key: null, label: t("Dashboard"), href: home }] : []),
    ...reports.map((key) => ({ key, label: t(REPORTS[key].name), href: `${home}/reports/${key}` })),
  ];
  if (pages.length < 2) return null;
  return (
    <nav aria-label={t("Shared pages")} className="-mx-2 mb-5 flex gap-1 overflow-x-auto px-2 print:hidden">
      {pages.map(({ key, label, href }) => (
        <Link
          key={href}
          href={href}
          prefetch={false}
          aria-current={key === current ? "page" : undefined}
          className="rounded-lg px-3 py-1.5 text-sm font-medium whitespace-nowrap text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
