import type { Metadata } from "next";
import { query, signedInOwner, siteOrNotFound } from "@/app/(owner)/access";
import { FirstEvent } from "@/components/reports/first-event";
import { SnippetTabs } from "@/components/reports/snippet-tabs";
import { BackToSite } from "@/components/shell/back-to-site";
import { Boundary } from "@/components/ui/boundary";
import { Notice } from "@/components/ui/notice";
import { manages } from "@/lib/contract/access";
import type { Owner } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { SITE_SETTINGS } from "@/lib/contract/site-settings";
import sitesActivity from "@/lib/operations/sites.activity";
import sitesAliasesList from "@/lib/operations/sites.aliases.list";
import sitesInstallation from "@/lib/operations/sites.installation";
import sitesSettingsGet from "@/lib/operations/sites.settings.get";
import { env } from "@/lib/platform/env";
import { legibleHost } from "@/lib/platform/legible-host";
import { isThisMachine } from "@/lib/platform/local-trial";
import { reachWarning } from "@/lib/sites/local-trials";
import { t } from "@/lib/texts/translate";
import { InstallationTest } from "./installation-test";
import { LazyComingFromUmami } from "./lazy-parts";
import { Verification } from "./verification";

export const generateMetadata = (): Metadata => ({ title: t("Installation") });

export default async function InstallPage({ params }: { params: Promise<{ siteId: string }> }) {
  const { siteId } = await params;
  const owner = await signedInOwner();
  const site = await siteOrNotFound(owner, siteId);
  const first = await query(sitesActivity, owner, { site_id: site.site_id });
  const domain = legibleHost(site.domain);
  const isOutOfReach = reachWarning(env().BASE_URL, site.domain) !== null;
  return (
    <div className="mx-auto max-w-2xl py-2 sm:py-6">
      <BackToSite site={site} />
      <h1 className="mt-1 text-2xl font-semibold">{t("Add this line to your pages")}</h1>
      <p className="mt-1 mb-6 text-muted">
        {t("It counts visits of {domain} without cookies and without storing anything on your visitors' devices.", {
          domain,
        })}
      </p>
      <div className="space-y-4">
        {isThisMachine(site.domain) && (
          <Notice tone="warn">
            {t(
              "This is a local trial: pages of {domain} that are opened on the machine of this server are counted, on any port. For a site that others visit, add its own domain.",
              { domain },
            )}
          </Notice>
        )}
        {isOutOfReach && (
          <Notice tone="warn" isPermanent>
            {t(
              "Only browsers on the machine of this server reach {url}, so visitors of a public site would not be counted. Before you publish the snippet, start the server with BASE_URL set to its public address, then copy the snippet again.",
              { url: env().BASE_URL },
            )}
          </Notice>
        )}
        <section className="card p-5" aria-label={t("Snippet")}>
          <SnippetTabs site={{ baseUrl: env().BASE_URL, domain: site.domain, name: domain }} />
        </section>
        <FirstEvent
          siteId={site.site_id}
          domain={domain}
          isLocal={isThisMachine(site.domain)}
          first={first}
          canChange={manages(site.role)}
          localPages={t(SITE_SETTINGS.general.local_pages.label)}
        />
        {manages(site.role) && !isThisMachine(site.domain) && <ForManagers owner={owner} site={site} />}
        {manages(site.role) && <FromUmami owner={owner} siteId={site.site_id} />}
      </div>
    </div>
  );
}

/** Website ids of Umami that count in the site. */
async function FromUmami({ owner, siteId }: { owner: Owner; siteId: number }) {
  const { aliases } = await query(sitesAliasesList, owner, { site_id: siteId });
  return (
    <Boundary what={t("Coming from Umami")}>
      <LazyComingFromUmami siteId={siteId} ids={aliases.map(({ alias }) => alias)} />
    </Boundary>
  );
}

/** Sections for managers: tests and verification make outgoing requests. */
async function ForManagers({ owner, site: { site_id, domain, domains } }: { owner: Owner; site: SiteShape }) {
  const [{ latest_test }, { primary_moves_at, proof }] = await Promise.all([
    query(sitesInstallation, owner, { site_id }),
    query(sitesSettingsGet, owner, { site_id }),
  ]);
  const name = legibleHost(domain);
  const verified = domains.some((one) => one.primary && one.verified);
  return (
    <>
      <InstallationTest siteId={site_id} first={latest_test} />
      <Verification
        siteId={site_id}
        domain={name}
        verified={verified}
        movesAt={primary_moves_at === null ? null : new Date(primary_moves_at)}
        publish={proof}
      />
    </>
  );
}
