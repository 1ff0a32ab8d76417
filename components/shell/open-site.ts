"use client";

import { usePathname } from "next/navigation";
import { useFetched } from "@/components/reports/use-fetched";
import type { Role } from "@/lib/contract/vocabulary";

/** What menus know of a site. */
export interface SiteLink {
  siteId: number;
  label: string;
  role: Role;
}

/**
 * The site whose page is open; undefined on other pages. One that is not among the first, which every page knows, is
 * asked for.
 *
 * @param total how many sites there are besides those that are known.
 */
export function useOpenSite(sites: SiteLink[], total: number): SiteLink | undefined {
  const openId = Number(/^\/sites\/(\d+)/.exec(usePathname())?.[1]);
  const known = sites.find(({ siteId }) => siteId === openId);
  const unknown = !known && openId > 0 && total > sites.length;
  const { answer } = useFetched<SiteLink>(unknown ? `/sites/${openId}/link` : null, { pauseMs: 0 });
  return known ?? (answer?.siteId === openId ? answer : undefined);
}
