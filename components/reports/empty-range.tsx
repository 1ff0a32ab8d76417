import Link from "next/link";
import { UNFILTERED } from "@/components/reports/filter-bar";
import { type HiddenTraffic, hiddenSentence, trafficThatShows } from "@/components/reports/hidden-traffic";
import { ViewLink } from "@/components/reports/view-frame";
import { ButtonLink } from "@/components/ui/button-link";
import { Screenshot } from "@/components/ui/screenshot";
import { TRAFFIC, type Traffic } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  domain: string;
  hasNoEvents: boolean;
  /** Whether the service has a live demo. */
  hasDemo: boolean;
  traffic: Traffic;
  /** Whether filters or a segment apply. */
  filtered: boolean;
  /** What the view leaves out because no person sent it. */
  hidden: readonly HiddenTraffic[];
  /** The first and last local day of the range. */
  from: string;
  to: string;
}

/** The report of what was recognised as which robot. */
const WHY = "traffic=all&dimensions=traffic,bot,browser_version&metrics=pageviews,events&compare=none";

const linkLook =
  "inline-flex h-10 items-center rounded-lg border border-line bg-surface px-4 font-medium hover:bg-sunken";

/** Empty state in place of the chart, with a suggestion what to do. */
export function EmptyRange({ siteId, domain, hasNoEvents, hasDemo, traffic, filtered, hidden, from, to }: Props) {
  return (
    <div className="grid min-h-[21.5rem] place-items-center px-6 py-10 text-center">
      {hasNoEvents ? (
        <FirstVisit siteId={siteId} domain={domain} hasDemo={hasDemo} />
      ) : hidden.length > 0 ? (
        <div className="max-w-md">
          <h2 className="text-lg font-semibold">{t("No human visitors in this range")}</h2>
          <p className="mt-1 mb-5 text-muted">{hiddenSentence(hidden)}</p>
          <div className="flex flex-wrap justify-center gap-2">
            <ViewLink patch={{ traffic: trafficThatShows(hidden) }} className={linkLook}>
              {t("Show them")}
            </ViewLink>
            <Link
              href={`/sites/${siteId}/reports/explore?${WHY}&from=${from}&to=${to}`}
              prefetch={false}
              className={linkLook}
            >
              {t("See why")}
            </Link>
          </div>
        </div>
      ) : filtered ? (
        <div className="max-w-md">
          <h2 className="text-lg font-semibold">{t("No data matches these filters")}</h2>
          <p className="mt-1 mb-5 text-muted">
            {t("No visit in this range matches all filters. Remove a filter above or clear them all.")}
          </p>
          <ViewLink patch={UNFILTERED} className={linkLook}>
            {t("Clear all filters")}
          </ViewLink>
        </div>
      ) : (
        <div className="max-w-md">
          <h2 className="text-lg font-semibold">{t("No data in this range")}</h2>
          <p className="mt-1 mb-5 text-muted">
            {traffic === "human" || traffic === "all"
              ? t("No visits in this range. Choose another range above or show all time.")
              : t("No traffic of the type “{traffic}” in this range.", { traffic: t(TRAFFIC[traffic]) })}
          </p>
          <ViewLink patch={{ period: "all", from: null, to: null, interval: null, traffic: null }} className={linkLook}>
            {t("Show all time")}
          </ViewLink>
        </div>
      )}
    </div>
  );
}

/** What to do before the first event, with a picture of what it leads to. */
const FirstVisit = ({ siteId, domain, hasDemo }: Pick<Props, "siteId" | "domain" | "hasDemo">) => (
  <div className="w-full max-w-4xl">
    <h2 className="text-lg font-semibold">{t("Waiting for the first visit")}</h2>
    <p className="mx-auto mt-1 mb-5 max-w-md text-muted">
      {t(
        "{domain} has not sent any events yet. Add the tracking snippet to its pages; this dashboard updates automatically.",
        { domain },
      )}
    </p>
    <div className="flex flex-wrap justify-center gap-2">
      <ButtonLink href={`/sites/${siteId}/install`}>{t("Show the snippet")}</ButtonLink>
      {/* Loads a document: the demo has another content security policy. */}
      {hasDemo && (
        <a href="/demo" className={linkLook}>
          {t("Look at a live demo")}
        </a>
      )}
    </div>
    <figure className="mt-8">
      <figcaption className="mb-2 text-sm text-muted">{t("An example, with the numbers of a made-up site")}</figcaption>
      <div className="max-h-104 overflow-hidden rounded-t-xl border border-b-0 border-line mask-b-from-70%">
        <Screenshot />
      </div>
    </figure>
  </div>
);
