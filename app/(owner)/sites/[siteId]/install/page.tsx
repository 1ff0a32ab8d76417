import type { Metadata } from "next";
import { FirstEvent } from "@/components/reports/first-event";
import { guidesFor } from "@/components/reports/guides";
import { SnippetTabs } from "@/components/reports/snippet-tabs";
import { BackToSite } from "@/components/shell/back-to-site";
import { Notice } from "@/components/ui/notice";
import type { SiteShape } from "@/lib/contract/fields";
import { manages } from "@/lib/contract/vocabulary";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { legibleHost } from "@/lib/platform/legible-host";
import { isThisMachine } from "@/lib/platform/local-trial";
import { latestTest } from "@/lib/sites/check/runs";
import { primaryMovesAt } from "@/lib/sites/contested-domains";
import { pulse } from "@/lib/sites/last-event";
import { reachWarning } from "@/lib/sites/local-trials";
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
  const domain = legibleHost(site.domain);
  const warning = reachWarning(env().BASE_URL, site.domain);
  return (
    <div className="mx-auto max-w-2xl py-2 sm:py-6">
      <BackToSite site={site} />
      <h1 className="mt-1 text-2xl font-semibold">Add this line to your pages</h1>
      <p className="mt-1 mb-6 text-muted">
        It counts visits of {domain} without cookies and without storing anything on your visitors' devices.
      </p>
      <div className="space-y-4">
        {isThisMachine(site.domain) && (
          <Notice tone="warn">
            This is a local trial: pages of {domain} that are opened on the machine of this server are counted, on any
            port. For a site that others visit, add its own domain.
          </Notice>
        )}
        {warning && (
          <Notice tone="warn" isPermanent>
            {warning}
          </Notice>
        )}
        <section className="card p-5" aria-label="Snippet">
          <SnippetTabs guides={guidesFor(env().BASE_URL, site.domain)} />
        </section>
        <FirstEvent siteId={site.site_id} domain={domain} isLocal={isThisMachine(site.domain)} first={first} />
        {manages(site.role) && !isThisMachine(site.domain) && <ForManagers site={site} />}
      </div>
    </div>
  );
}

/** Sections for managers: tests and verification make outgoing requests. */
async function ForManagers({ site: { site_id, domain, domains } }: { site: SiteShape }) {
  const name = legibleHost(domain);
  const verified = domains.some((one) => one.primary && one.verified);
  return (
    <>
      <InstallationTest siteId={site_id} first={await latestTest(db(), site_id, new Date())} />
      <Verification
        siteId={site_id}
        domain={name}
        verified={verified}
        movesAt={await primaryMovesAt(site_id)}
        publish={publicationOf(site_id, domain)}
      />
    </>
  );
}
