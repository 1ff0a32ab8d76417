import type { Metadata } from "next";
import Link from "next/link";
import { FirstEvent } from "@/components/reports/first-event";
import { guidesFor } from "@/components/reports/guides";
import { SnippetTabs } from "@/components/reports/snippet-tabs";
import { env } from "@/lib/env";
import { pulse } from "@/lib/sites/pulse";
import { principalOf, siteOrNotFound, thisOwner } from "../../../access";

export const metadata: Metadata = { title: "Installation" };

export default async function InstallPage({ params }: { params: Promise<{ siteId: string }> }) {
  const { siteId } = await params;
  const owner = await thisOwner(`/sites/${siteId}/install`);
  const site = await siteOrNotFound(owner, siteId);
  const first = await pulse(principalOf(owner), site.site_id);
  return (
    <div className="mx-auto max-w-2xl py-2 sm:py-6">
      <p className="text-sm">
        <Link href={`/sites/${site.site_id}`} className="text-accent underline">
          {site.name || site.domain}
        </Link>
      </p>
      <h1 className="mt-1 text-2xl font-semibold">Add this line to your pages</h1>
      <p className="mt-1 mb-6 text-muted">
        It counts visits of {site.domain} without cookies and without storing anything on your visitors' devices.
      </p>
      <div className="space-y-4">
        <section className="card p-5" aria-label="Snippet">
          <SnippetTabs guides={guidesFor(env().BASE_URL, site.domain)} />
        </section>
        <FirstEvent siteId={site.site_id} domain={site.domain} first={first} />
      </div>
    </div>
  );
}
