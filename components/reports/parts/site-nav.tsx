"use client";

import { Check, ChevronDown } from "lucide-react";
import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { sharedQuery } from "@/components/reports/shared-query";
import { Menu, MenuItem } from "@/components/ui/menu";
import { REPORTS } from "@/lib/contract/reports";

/** Navigation between the reports of a site; links keep the shared search parameters. Hidden on settings pages. */
export function SiteNav({ siteId }: { siteId: number }) {
  const pathname = usePathname();
  const query = sharedQuery(useSearchParams());
  const home = `/sites/${siteId}`;
  const reports = `${home}/reports/`;
  const pages = [
    { path: home, label: "Dashboard" },
    ...Object.entries(REPORTS).map(([key, { name: label }]) => ({ path: reports + key, label })),
  ];
  if (pathname !== home && !pathname.startsWith(reports)) return null;
  // The page of a single funnel belongs to Funnels.
  const current = pathname === `${reports}funnel` ? `${reports}funnels` : pathname;
  return (
    <nav aria-label="Reports" className="-mt-1.5 mb-3.5 print:hidden">
      <ReportMenu pages={pages} current={current} query={query} />
      <ReportTabs pages={pages} current={current} query={query} />
    </nav>
  );
}

interface Props {
  pages: { path: string; label: string }[];
  /** Path of the open page. */
  current: string;
  query: string;
}

const Links = ({ pages, current, query }: Props) =>
  pages.map(({ path, label }) => (
    <MenuItem key={path}>
      <Link href={path + query} prefetch={false} aria-current={path === current ? "page" : undefined}>
        {label}
        {path === current && <Check className="size-4 text-accent" />}
      </Link>
    </MenuItem>
  ));

/** The pages as a menu, for narrow screens. */
const ReportMenu = ({ pages, current, query }: Props) => (
  <div className="lg:hidden">
    <Menu
      name="Report"
      label={
        <span className="flex items-center gap-2">
          {pages.find(({ path }) => path === current)?.label}
          <ChevronDown className="size-3.5 text-muted sm:hidden" />
        </span>
      }
    >
      <div className="grid grid-cols-2 gap-x-1">
        <Links pages={pages} current={current} query={query} />
      </div>
    </Menu>
  </div>
);

/** The pages that fit in one line beside the current visitors; the others are in a menu. */
const TABS = 10;

function ReportTabs({ pages, current, query }: Props) {
  const others = pages.slice(TABS);
  const open = others.find(({ path }) => path === current);
  return (
    <div className="flex items-center border-b border-line max-lg:hidden">
      {pages.slice(0, TABS).map(({ path, label }) => (
        <Link
          key={path}
          href={path + query}
          prefetch={false}
          aria-current={path === current ? "page" : undefined}
          className="-mb-px border-b-2 border-transparent px-2 py-1.5 text-[0.8125rem] font-medium whitespace-nowrap text-muted -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-accent xl:text-sm"
        >
          {label}
        </Link>
      ))}
      <Menu
        look="bare"
        name="More reports"
        label={<span className={open ? "text-accent" : "text-muted"}>{open?.label ?? "More"}</span>}
      >
        <Links pages={others} current={current} query={query} />
      </Menu>
    </div>
  );
}
