import type { ReactNode } from "react";
import { SiteNav } from "@/components/reports/pages/site-nav";
import { signedInOwnerOrNull, siteOrNotFound } from "../../access";

interface Props {
  params: Promise<{ siteId: string }>;
  children: ReactNode;
}

/** The reports of a site stand above each of them. Nobody is sent away here: each page does that, and knows where to come back to. */
export default async function SiteLayout({ params, children }: Props) {
  const owner = await signedInOwnerOrNull();
  const site = owner && (await siteOrNotFound(owner, (await params).siteId));
  return (
    <>
      {site && <SiteNav siteId={site.site_id} />}
      {children}
    </>
  );
}
