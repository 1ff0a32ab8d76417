"use client";

import { Check, ChevronDown } from "lucide-react";
import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { sharedQuery } from "@/components/reports/shared-query";
import { useFetched } from "@/components/reports/use-fetched";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Whole } from "@/components/ui/whole";
import { REPORT_GROUPS, REPORTS, type ReportKey } from "@/lib/contract/reports";
import { t } from "@/lib/texts/translate";

interface Page {
  path: string;
  label: string;
}

interface Group {
  label: string;
  about?: string;
  pages: Page[];
}

/** A page of its own, or several under a heading. */
type Entry = Page | Group;

const ALL = Object.keys(REPORTS) as ReportKey[];

/**
 * Returns the dashboard and the reports in menu order, those of a group where its first one is, and at the end those without data,
 * so that none of the others moves when they are known.
 */
function entriesOf(home: string, withData: readonly ReportKey[]): Entry[] {
  const pageOf = (key: ReportKey): Page => ({ path: `${home}/reports/${key}`, label: t(REPORTS[key].name) });
  const groups = Object.entries(REPORT_GROUPS) as [string, readonly ReportKey[]][];
  const entries = withData.flatMap((key): Entry[] => {
    const [label, grouped] = groups.find(([, grouped]) => grouped.includes(key)) ?? [];
    if (!label || !grouped) return [pageOf(key)];
    const keys = withData.filter((other) => grouped.includes(other));
    return keys[0] === key ? [{ label: t(label), pages: keys.map(pageOf) }] : [];
  });
  const others = ALL.filter((key) => !withData.includes(key));
  const more = { label: t("More"), about: t("Without data in the last 90 days"), pages: others.map(pageOf) };
  return [{ path: home, label: t("Dashboard") }, ...entries, ...(others.length > 0 ? [more] : [])];
}

/**
 * Navigation between the reports of a site; links keep the shared search parameters. Hidden on settings pages. Reports without data
 * stand under "More".
 */
export function SiteNav({ siteId }: { siteId: number }) {
  const pathname = usePathname();
  const query = sharedQuery(useSearchParams());
  const home = `/sites/${siteId}`;
  const reports = `${home}/reports/`;
  const isShown = pathname === home || pathname.startsWith(reports);
  const { answer } = useFetched<{ reports: ReportKey[] }>(isShown ? `${home}/data/reports` : null);
  if (!isShown) return null;
  // The page of a single funnel belongs to Funnels.
  const current = pathname === `${reports}funnel` ? `${reports}funnels` : pathname;
  // A site without events has none, and its owner looks at what there is.
  const withData = answer?.reports.length ? answer.reports : ALL;
  const shown = { entries: entriesOf(home, withData), current, query };
  return (
    <nav aria-label={t("Reports")} className="-mt-1.5 mb-3.5 print:hidden">
      <ReportMenu {...shown} />
      <ReportTabs {...shown} />
    </nav>
  );
}

interface Props {
  entries: Entry[];
  /** Path of the open page. */
  current: string;
  query: string;
}

const ReportLinks = ({ pages, current, query }: { pages: Page[] } & Pick<Props, "current" | "query">) =>
  pages.map(({ path, label }) => (
    <MenuItem key={path}>
      <Link href={path + query} prefetch={false} aria-current={path === current ? "page" : undefined}>
        {label}
        {path === current && <Check className="size-4 text-accent" />}
      </Link>
    </MenuItem>
  ));

const pagesIn = (entry: Entry): Page[] => ("pages" in entry ? entry.pages : [entry]);

/** The pages as a menu, for narrow screens. */
const ReportMenu = ({ entries, current, query }: Props) => (
  <div className="lg:hidden">
    <Menu
      name={t("Report")}
      label={
        <span className="flex items-center gap-2">
          {entries.flatMap(pagesIn).find(({ path }) => path === current)?.label}
          <ChevronDown className="size-3.5 text-muted sm:hidden" />
        </span>
      }
    >
      <div className="grid grid-cols-2 gap-x-1">
        <ReportLinks pages={entries.flatMap(pagesIn)} current={current} query={query} />
      </div>
    </Menu>
  </div>
);

const TAB =
  "-mb-px border-b-2 px-2 py-1.5 text-sm font-medium whitespace-nowrap -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-accent";

const ReportTabs = ({ entries, current, query }: Props) => (
  <Whole className="flex items-center gap-1 border-b border-line max-lg:hidden">
    {entries.map((entry) =>
      "pages" in entry ? (
        <ReportGroup key={entry.label} {...entry} current={current} query={query} />
      ) : (
        <Link
          key={entry.path}
          href={entry.path + query}
          prefetch={false}
          aria-current={entry.path === current ? "page" : undefined}
          className={`${TAB} border-transparent text-muted`}
        >
          {entry.label}
        </Link>
      ),
    )}
  </Whole>
);

/** A group of reports as a menu, which names the open one. */
function ReportGroup({ label, about, pages, current, query }: Group & Pick<Props, "current" | "query">) {
  const open = pages.find(({ path }) => path === current);
  return (
    <div className={`-mb-px border-b-2 ${open ? "border-accent" : "border-transparent"}`}>
      <Menu
        look="bare"
        name={t("Reports")}
        label={
          <span className={open ? "text-accent" : "text-muted"}>
            {label}
            {open && `: ${open.label}`}
          </span>
        }
      >
        {about && <p className="px-2.5 pt-1 pb-1.5 text-xs text-muted">{about}</p>}
        <ReportLinks pages={pages} current={current} query={query} />
      </Menu>
    </div>
  );
}
