import type { Metadata } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Plus } from "@/components/ui/icons";
import { Pager } from "@/components/ui/pager";
import { db } from "@/lib/db";
import { listSites } from "@/lib/sites/access";
import { sitesWithData } from "@/lib/sites/recent";
import { principalOf, thisOwner } from "../access";
import { NoSites } from "./no-sites";
import { SiteCard } from "./site-card";
import { SiteSearch } from "./site-search";

export const metadata: Metadata = { title: "Your sites" };

const CARDS = 24;

interface Props {
  searchParams: Promise<{ q?: string | string[]; page?: string | string[] }>;
}

export default async function SitesPage({ searchParams }: Props) {
  const { q, page: wanted } = await searchParams;
  const owner = await thisOwner("/sites");
  const search = typeof q === "string" ? q.trim() : "";
  const page = typeof wanted === "string" && /^[1-9]\d{0,4}$/.test(wanted) ? Number(wanted) : 1;
  const now = new Date();
  const { sites, total } = await listSites(db(), principalOf(owner), page, CARDS, search);
  if (total === 0 && search === "") return <NoSites />;
  const searchable = total > CARDS || search !== "";
  const last = Math.max(1, Math.ceil(total / CARDS));
  const withData = await sitesWithData(
    sites.map(({ site_id }) => site_id),
    now,
  );
  const to = (at: number) => `/sites?${new URLSearchParams({ ...(search && { q: search }), page: `${at}` })}`;
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h1 className="text-2xl font-semibold">Your sites</h1>
        <div className={`flex items-center gap-3 ${searchable ? "max-sm:w-full" : ""}`}>
          {searchable && <SiteSearch search={search} />}
          <ButtonLink href="/sites/new" size="normal">
            <Plus /> Add a site
          </ButtonLink>
        </div>
      </div>
      {sites.length === 0 && (
        <p className="text-muted">
          {total === 0
            ? `None of your sites has “${search}” in its name or domains.`
            : "There are no sites on this page."}
        </p>
      )}
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {sites.map((site) => (
          <SiteCard
            key={site.site_id}
            site={site}
            personId={owner.personId}
            hasData={withData.has(site.site_id)}
            now={now}
          />
        ))}
      </ul>
      <Pager label="Pages of sites" page={page} last={last} to={to} />
    </>
  );
}
