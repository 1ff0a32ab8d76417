import type { ReactNode } from "react";
import { SiteNav } from "@/components/reports/parts/site-nav";
import { legibleHost } from "@/lib/platform/legible-host";
import { signedInOwnerOrNull, siteOrNotFound } from "../../access";
import { DisabledSite } from "./disabled-site";

interface Props {
  params: Promise<{ siteId: string }>;
  children: ReactNode;
}

/** Site navigation above each page. No redirect to sign-in here: each page does that with its own return path. */
export default async function SiteLayout({ params, children }: Props) {
  const owner = await signedInOwnerOrNull();
  const site = owner && (await siteOrNotFound(owner, (await params).siteId));
  if (site?.disabled) return <DisabledSite domain={legibleHost(site.domain)} />;
  return (
    <>
      {site && <SiteNav siteId={site.site_id} />}
      {children}
    </>
  );
}
