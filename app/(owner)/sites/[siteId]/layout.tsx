import type { ReactNode } from "react";
import { SiteNav } from "@/components/reports/parts/site-nav";
import { PageBoundary } from "@/components/shell/page-boundary";
import { ButtonLink } from "@/components/ui/button-link";
import { legibleHost } from "@/lib/platform/legible-host";
import { t } from "@/lib/texts/translate";
import { signedInOwnerOrNull, siteOrNotFound } from "../../access";

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
      <PageBoundary>{children}</PageBoundary>
    </>
  );
}

/** What the pages of a site show while an administrator of the service has disabled it. */
const DisabledSite = ({ domain }: { domain: string }) => (
  <div className="card mx-auto mt-10 max-w-xl px-6 py-8 text-center">
    <h1 className="text-xl font-semibold break-words">{t("{domain} is disabled", { domain })}</h1>
    <p className="mt-2 text-muted">
      {t(
        "An administrator of this service has disabled this site. It takes no events, and its pages, reports and links are closed. Nothing was deleted: ask the administrator to enable it again. An agent can export its data meanwhile.",
      )}
    </p>
    <ButtonLink href="/sites" className="mt-5">
      {t("Your sites")}
    </ButtonLink>
  </div>
);
