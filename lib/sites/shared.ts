import { db } from "@/lib/platform/db";
import { readSiteDomain } from "@/lib/platform/domain-names";
import { env } from "@/lib/platform/env";

/** The publicly visible data of a public site. */
export interface SharedSite {
  site_id: number;
  domain: string;
  name: string | null;
  timezone: string;
}

/** Returns the public site with this domain, in any spelling; null if there is none or the site is not public. */
export async function sharedSite(typed: string): Promise<SharedSite | null> {
  const read = readSiteDomain(typed);
  if ("fault" in read) return null;
  const site = await db().site.findFirst({
    where: { public: true, domains: { some: { host: read.host } } },
    select: { id: true, name: true, timezone: true, domains: { where: { isPrimary: true }, select: { host: true } } },
  });
  if (!site) return null;
  const { id, domains, name, timezone } = site;
  return { site_id: id, domain: domains[0]?.host ?? read.host, name, timezone };
}

/** Returns the site that the operator shows as a demo; null if none is configured or its dashboard is not public. */
export async function demoSite(): Promise<SharedSite | null> {
  const { DEMO_SITE } = env();
  return DEMO_SITE === undefined ? null : sharedSite(DEMO_SITE);
}
