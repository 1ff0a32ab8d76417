"use client";

import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { REPORTS, sharedQuery } from "@/components/reports/pages/catalogue";
import { Check, ChevronDown } from "@/components/ui/icons";
import { Menu, MenuItem } from "@/components/ui/menu";

/** From one report of a site to another, with the days and the traffic that are looked at. Not on pages that set it up. */
export function SiteNav({ siteId }: { siteId: number }) {
  const path = usePathname();
  const query = sharedQuery(useSearchParams());
  const home = `/sites/${siteId}`;
  const reports = `${home}/reports/`;
  const places = [
    { at: home, label: "Dashboard" },
    ...Object.entries(REPORTS).map(([key, label]) => ({ at: reports + key, label })),
  ];
  if (path !== home && !path.startsWith(reports)) return null;
  // One funnel in depth is a page of the funnels'.
  const here = path === `${reports}funnel` ? `${reports}funnels` : path;
  return (
    <nav aria-label="Reports" className="-mt-1.5 mb-3.5 print:hidden">
      <Chooser {...{ places, here, query }} />
      <Strip {...{ places, here, query }} />
    </nav>
  );
}

interface Props {
  places: { at: string; label: string }[];
  /** The address of the one that is open. */
  here: string;
  query: string;
}

/** All in a menu, where there is no room for them. */
const Chooser = ({ places, here, query }: Props) => (
  <div className="lg:hidden">
    <Menu
      name="Report"
      label={
        <span className="flex items-center gap-2">
          {places.find(({ at }) => at === here)?.label}
          <ChevronDown className="size-3.5 text-muted sm:hidden" />
        </span>
      }
    >
      <div className="grid grid-cols-2 gap-x-1">
        {places.map(({ at, label }) => (
          <MenuItem key={at}>
            <Link href={at + query} prefetch={false} aria-current={at === here ? "page" : undefined}>
              {label}
              {at === here && <Check className="size-4 text-accent" />}
            </Link>
          </MenuItem>
        ))}
      </div>
    </Menu>
  </div>
);

const Strip = ({ places, here, query }: Props) => (
  <div className="flex border-b border-line max-lg:hidden">
    {places.map(({ at, label }) => (
      <Link
        key={at}
        href={at + query}
        prefetch={false}
        aria-current={at === here ? "page" : undefined}
        className="-mb-px border-b-2 border-transparent px-2 py-1.5 text-[0.8125rem] font-medium whitespace-nowrap text-muted -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-accent xl:text-sm"
      >
        {label}
      </Link>
    ))}
  </div>
);
