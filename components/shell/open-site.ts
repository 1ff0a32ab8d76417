"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { queryForOtherSite } from "@/components/reports/shared-query";
import { useFetched } from "@/components/reports/use-fetched";
import type { Role } from "@/lib/contract/access";

/** A site as the menus list it. */
export interface SiteLink {
  siteId: number;
  label: string;
  role: Role;
}

/**
 * Returns the site of the current page; undefined on other pages. A site that is not in `sites` is fetched.
 *
 * @param sites the first sites, which every page receives.
 * @param total number of all sites of the user.
 */
export function useOpenSite(sites: SiteLink[], total: number): SiteLink | undefined {
  const openId = Number(/^\/sites\/(\d+)/.exec(usePathname())?.[1]);
  const known = sites.find(({ siteId }) => siteId === openId);
  const unknown = !known && openId > 0 && total > sites.length;
  const { answer } = useFetched<SiteLink>(unknown ? `/sites/${openId}/link` : null, { pauseMs: 0 });
  return known ?? (answer?.siteId === openId ? answer : undefined);
}

/** Returns a function that finds the current page on another site: the same report, with what its view means there. */
export function useOnOtherSite(): (siteId: number) => string {
  const here = usePathname();
  const query = queryForOtherSite(useSearchParams());
  // A single funnel is one of its site.
  const report = /^\/sites\/\d+(\/reports\/[a-z_]+)$/.exec(here)?.[1]?.replace(/funnel$/, "funnels") ?? "";
  const isView = report !== "" || /^\/sites\/\d+$/.test(here);
  return (siteId) => `/sites/${siteId}${report}${isView ? query : ""}`;
}
