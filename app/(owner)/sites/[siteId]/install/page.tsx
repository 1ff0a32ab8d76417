import type { Metadata } from "next";
import { FirstEvent } from "@/components/reports/first-event";
import { guidesFor } from "@/components/reports/guides";
import { SnippetTabs } from "@/components/reports/snippet-tabs";
import { BackToSite } from "@/components/shell/back-to-site";
import type { SiteShape } from "@/lib/contract/fields";
import { manages } from "@/lib/contract/vocabulary";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { latestTest } from "@/lib/sites/check/runs";
import { primaryMovesAt } from "@/lib/sites/contested-domains";
import { pulse } from "@/lib/sites/last-event";
import { publicationOf } from "@/lib/sites/verification";
import { principalOf, signedInOwner, siteOrNotFound } from "../../../access";
import { InstallationTest } from "./installation-test";
import { Verification } from "./verification";

export const metadata: Metadata = { title: "Installation" };

export default async function InstallPage({ params }: { params: Promise<{ siteId: string }> }) {
  const { siteId } = await params;
  const owner = await signedInOwner();
  const site = await siteOrNotFound(owner, siteId);
  const first = await pulse(principalOf(owner), site.site_id);
  return (
    <div className="mx-auto max-w-2xl py-2 sm:py-6">
      <BackToSite site={site} />
      <h1 className="mt-1 text-2xl font-semibold">Add this line to your pages</h1>
      <p className="mt-1 mb-6 text-muted">
        It counts visits of {site.domain} without cookies and without storing anything on your visitors' devices.
      </p>
      <div className="space-y-4">
        <section className="card p-5" aria-label="Snippet">
          <SnippetTabs guides={guidesFor(env().BASE_URL, site.domain)} />
        </section>
        <FirstEvent siteId={site.site_id} domain={site.domain} first={first} />
        {manages(site.role) && <ForManagers site={site} />}
      </div>
    </div>
  );
}

/** Sections for managers: tests and verification make outgoing requests. */
async function ForManagers({ site: { site_id, domain, domains } }: { site: SiteShape }) {
  const verified = domains.some((one) => one.primary && one.verified);
  return (
    <>
      <InstallationTest siteId={site_id} first={await latestTest(db(), site_id, new Date())} />
      <Verification
        siteId={site_id}
        domain={domain}
        verified={verified}
        movesAt={await primaryMovesAt(site_id)}
        publish={publicationOf(site_id, domain)}
      />
    </>
  );
}
