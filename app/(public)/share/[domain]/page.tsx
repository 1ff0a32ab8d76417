import type { Metadata } from "next";
import { addressOfBrowser } from "@/app/browser-address";
import { readView, type SearchParams } from "@/components/reports/view";
import { env } from "@/lib/platform/env";
import { siteTitle } from "@/lib/platform/legible-host";
import { PUBLIC_DASHBOARD } from "@/lib/sites/share-limits";
import { t } from "@/lib/texts/translate";
import { SharedDashboard } from "../../_shared/dashboard";
import { EmbedHeight } from "../../_shared/embed-height";
import { SharedFrame } from "../../_shared/frame";
import { queryOfPublic, siteAt, siteAtOrNotFound } from "../../_shared/public";
import { cardOf } from "../../card";

/** Rendered per request, because scripts of a prerendered page have no nonce. */
export const dynamic = "force-dynamic";

interface Props {
  params: Promise<{ domain: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const site = await siteAt((await params).domain);
  if (!site) return { robots: { index: false } };
  const about = t("Visitors, sources and pages of {domain}, counted without cookies.", { domain: site.domain });
  return { ...cardOf(siteTitle(site), about, env().BASE_URL), robots: { index: false } };
}

/** Public dashboard of a site, also for frames on other sites: `embed=true` hides our header. */
export default async function PublicDashboard({ params, searchParams }: Props) {
  const site = await siteAtOrNotFound((await params).domain);
  const query = await searchParams;
  const { panels: _, opened: __, ...shown } = query;
  const view = readView(shown);
  const ip = await addressOfBrowser();
  return (
    <SharedFrame embedded={query.embed === "true"} credit={site.credit}>
      <SharedDashboard
        site={site}
        limits={PUBLIC_DASHBOARD}
        as={queryOfPublic({ ip, filters: view.filters })}
        ip={ip}
        view={view}
        basePath={`/share/${site.domain}`}
      />
      {query.embed === "true" && <EmbedHeight />}
    </SharedFrame>
  );
}
