import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { addressOfBrowser } from "@/app/browser-address";
import { pageSession } from "@/app/page-session";
import { Actions } from "@/components/actions/actions";
import { readView, type SearchParams } from "@/components/reports/view";
import { currentOwner } from "@/lib/auth/session";
import { REPORTS } from "@/lib/contract/reports";
import { Refusal } from "@/lib/platform/errors";
import { siteTitle } from "@/lib/platform/legible-host";
import type { ShareLimits } from "@/lib/sites/share-limits";
import { countUse } from "@/lib/sites/share-links";
import { t } from "@/lib/texts/translate";
import { SharedDashboard } from "./dashboard";
import { EmbedHeight } from "./embed-height";
import { SharedFrame } from "./frame";
import { linkOfPage, linkOrNotFound, paramsOfLink, queryOfLink } from "./links";
import { limitSharedReads } from "./public";
import { SharedReport } from "./report";
import { UnlockForm } from "./unlock-form";

/** Nothing of a private link may be indexed, and its address must not leave in a Referer header. */
const PRIVATE: Metadata = { robots: { index: false, follow: false }, referrer: "no-referrer" };

export interface LinkPageProps {
  params: Promise<{ secret: string; report?: string }>;
  searchParams: Promise<SearchParams>;
}

/** The metadata of a page of a link: before its password is entered, it does not name the site. */
export async function linkMetadata({ params }: Pick<LinkPageProps, "params">): Promise<Metadata> {
  const opened = await linkOfPage((await params).secret);
  return { ...PRIVATE, title: opened && !opened.isLocked ? siteTitle(opened.site) : t("Private link") };
}

interface Props extends LinkPageProps {
  /** Whether the page is in a frame of another site. */
  embedded: boolean;
}

/** The dashboard of a private link or one of its reports, or the form for its password. */
export async function LinkPage({ params: given, searchParams, embedded }: Props) {
  const [{ secret, report = null }, query] = await Promise.all([given, searchParams]);
  const opened = await linkOrNotFound(secret, { embedded });
  const { link, site, isLocked } = opened;
  const home = `/${embedded ? "embed" : "s"}/${secret}`;
  if (isLocked) {
    return (
      <SharedFrame embedded={embedded} credit={link.credit}>
        <Actions session={pageSession(await currentOwner())}>
          <UnlockForm secret={secret} />
        </Actions>
      </SharedFrame>
    );
  }
  const { limits } = link;
  if (report === null && !limits.dashboard) redirect(`${home}/reports/${limits.reports[0]}`);
  const ip = await addressOfBrowser();
  await countOpening(link, ip);
  const params = paramsOfLink(limits, query);
  const as = queryOfLink(opened, { ip, filters: readView(params).filters });
  const menu = <LinkMenu limits={limits} home={home} current={report} />;
  return (
    <SharedFrame embedded={embedded} credit={link.credit}>
      {report === null ? (
        <SharedDashboard {...{ site, limits, as, ip, menu }} view={readView(params)} basePath={`/s/${secret}`} />
      ) : (
        <SharedReport {...{ link, site, as, params, home, menu }} reportKey={report} />
      )}
      {embedded && <EmbedHeight />}
    </SharedFrame>
  );
}

/** Counts the opening of a page, within the rate limit of an address: beyond it, the numbers of the page are refused. */
async function countOpening(link: { id: number }, ip: string): Promise<void> {
  const now = new Date();
  try {
    await limitSharedReads(ip, now);
  } catch (error) {
    if (error instanceof Refusal) return;
    throw error;
  }
  await countUse(link, now);
}

interface MenuProps {
  limits: ShareLimits;
  /** Path of the pages of the link. */
  home: string;
  /** Key of the report that is shown; null for the dashboard. */
  current: string | null;
}

/** Navigation between the dashboard and the reports of a link; nothing if it has only one page. */
function LinkMenu({ limits: { dashboard, reports }, home, current }: MenuProps) {
  const pages = [
    ...(dashboard ? [{ key: null, label: t("Dashboard"), href: home }] : []),
    ...reports.map((key) => ({ key, label: t(REPORTS[key].name), href: `${home}/reports/${key}` })),
  ];
  if (pages.length < 2) return null;
  return (
    <nav aria-label={t("Shared pages")} className="-mx-2 mb-5 flex gap-1 overflow-x-auto px-2 print:hidden">
      {pages.map(({ key, label, href }) => (
        <Link
          key={href}
          href={href}
          prefetch={false}
          aria-current={key === current ? "page" : undefined}
          className="rounded-lg px-3 py-1.5 text-sm font-medium whitespace-nowrap text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
