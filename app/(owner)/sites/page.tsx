import type { Metadata } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Plus } from "@/components/ui/icons";
import { sitesOf, thisOwner } from "../access";
import { NoSites } from "./no-sites";
import { SiteCard } from "./site-card";

export const metadata: Metadata = { title: "Your sites" };

export default async function SitesPage() {
  const owner = await thisOwner("/sites");
  const { sites, total } = await sitesOf(owner.personId);
  if (total === 0) return <NoSites />;
  return (
    <>
      <div className="mb-5 flex items-center justify-between gap-4">
        <h1 className="text-2xl font-semibold">Your sites</h1>
        <ButtonLink href="/sites/new" size="normal">
          <Plus /> Add a site
        </ButtonLink>
      </div>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {sites.map((site) => (
          <SiteCard key={site.site_id} site={site} personId={owner.personId} />
        ))}
      </ul>
      {total > sites.length && (
        <p className="mt-6 text-sm text-muted">
          The first {sites.length} of {total} sites are shown.
        </p>
      )}
    </>
  );
}
