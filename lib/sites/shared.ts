import { db, type Prisma } from "@/lib/platform/db";
import { readSiteDomain } from "@/lib/platform/domain-names";
import { env } from "@/lib/platform/env";

/** The publicly visible data of a public site. */
export interface SharedSite {
  site_id: number;
  domain: string;
  name: string | null;
  timezone: string;
  reporting_currency: string;
  /** Whether its public dashboard says that Footfall counted. */
  credit: boolean;
  /** Whether its public dashboard shows revenue and orders. */
  revenue: boolean;
}

/** Returns the public site with this domain, in any spelling; null if there is none or the site is not public. */
export async function sharedSite(typed: string): Promise<SharedSite | null> {
  const read = readSiteDomain(typed);
  if ("fault" in read) return null;
  const site = await db().site.findFirst({
    where: { public: true, disabledAt: null, domains: { some: { host: read.host } } },
    select: SHOWN,
  });
  return site && shapeSite(site, read.host);
}

/** Returns what a private link may say about its site. */
export async function siteOfLink(siteId: number): Promise<SharedSite | null> {
  const site = await db().site.findUnique({ where: { id: siteId, disabledAt: null }, select: SHOWN });
  return site && shapeSite(site, "");
}

const SHOWN = {
  ...{ id: true, name: true, timezone: true, reportingCurrency: true, publicCredit: true, publicRevenue: true },
  domains: { where: { isPrimary: true }, select: { host: true } },
} satisfies Prisma.SiteSelect;

function shapeSite(site: Prisma.SiteGetPayload<{ select: typeof SHOWN }>, host: string): SharedSite {
  const { id, domains, name, timezone, reportingCurrency, publicCredit, publicRevenue } = site;
  return {
    site_id: id,
    domain: domains[0]?.host ?? host,
    name,
    timezone,
    reporting_currency: reportingCurrency,
    credit: publicCredit,
    revenue: publicRevenue,
  };
}

/** Returns the site that the operator shows as a demo; null if none is configured or its dashboard is not public. */
export async function demoSite(): Promise<SharedSite | null> {
  const { DEMO_SITE } = env();
  return DEMO_SITE === undefined ? null : sharedSite(DEMO_SITE);
}
