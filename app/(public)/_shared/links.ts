import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import type { Filter } from "@/components/reports/filters";
import type { SearchParams } from "@/components/reports/view";
import { queryShared, type RunQuery } from "@/lib/gateway/execute";
import { Refusal } from "@/lib/platform/errors";
import { isShown, type SharedReport, type ShareLimits } from "@/lib/sites/share-limits";
import { type OpenLink, openShareLink } from "@/lib/sites/share-links";
import { isUnlocked, linkIsLocked } from "@/lib/sites/share-password";
import { type SharedSite, siteOfLink } from "@/lib/sites/shared";
import { t } from "@/lib/texts/translate";
import { rateLimited } from "./public";

/** A private link in the browser of a reader. */
export interface ReadLink {
  link: OpenLink;
  site: SharedSite;
  /** Whether its password is still to be entered in this browser. */
  isLocked: boolean;
}

/** Returns the link with this secret in a browser with these cookies; null if there is none. */
export async function readLinkOf(secret: string, cookies: string, now = new Date()): Promise<ReadLink | null> {
  const link = await openShareLink(secret, now);
  const site = link && (await siteOfLink(link.siteId));
  return link && site && { link, site, isLocked: !isUnlocked(link, cookies, now) };
}

/** The same for a page, read once per request. */
export const linkOfPage = cache(
  async (secret: string): Promise<ReadLink | null> => readLinkOf(secret, (await headers()).get("cookie") ?? ""),
);

/** The same, or the page that says that the link does not work. */
export async function linkOrNotFound(secret: string, { embedded }: { embedded: boolean }): Promise<ReadLink> {
  const opened = await linkOfPage(secret);
  if (!opened || (embedded && !opened.link.embeds)) notFound();
  return opened;
}

/** The link of a request in the background. @throws Refusal `not_found` or `unauthenticated` */
export async function linkOfRequest(secret: string, request: Request): Promise<ReadLink> {
  const opened = await readLinkOf(secret, request.headers.get("cookie") ?? "");
  if (!opened)
    throw new Refusal("not_found", t("This link does not work: it was revoked, has expired or is incomplete."));
  if (opened.isLocked) throw linkIsLocked();
  return opened;
}

/** Returns a function that queries what a link shows, within the limits of anonymous callers. */
export const queryOfLink = (
  { link: { siteId, limits } }: Pick<ReadLink, "link">,
  { ip, filters }: { ip: string; filters: readonly Filter[] | null },
): RunQuery => rateLimited(ip, queryShared({ siteId, isPublic: false, limits, filters, address: ip }));

/**
 * Returns the parameters of an address with the defaults of a link: its period and its panels. What is asked beyond the link
 * stays, and is refused.
 */
export function paramsOfLink({ period, panels }: ShareLimits, params: SearchParams): SearchParams {
  const { panels: _, opened: __, ...rest } = params;
  const shown = panels.flatMap((panel) => (panel === "metrics" ? ["metrics", "chart"] : [panel])).join(",");
  const ranged = period && !rest.period && !rest.from ? { ...rest, ...period } : rest;
  return { ...ranged, ...(shown && { panels: shown }), ...(period && { compare: "none" }) };
}

/** The fields by which readers of a report, or of the dashboard, can filter. */
export const filterFieldsOf = (limits: ShareLimits, report: SharedReport | null) =>
  FILTER_FIELDS.filter(({ value }) => isShown(limits, value, report));
