import type { Metadata } from "next";
import Link from "next/link";
import { Arriving } from "@/app/_dashboard/arriving";
import { settle } from "@/app/_dashboard/queries";
import type { Chart, QueryResult } from "@/components/reports/answers";
import { ExportMenu } from "@/components/reports/export-menu";
import { Headlines } from "@/components/reports/headlines";
import { apiCall } from "@/components/reports/parts/api-call";
import { BodySkeleton } from "@/components/reports/parts/body-skeleton";
import { DataTable } from "@/components/reports/parts/data-table";
import { Unconverted } from "@/components/reports/parts/unconverted";
import { RefusedNotice } from "@/components/reports/refused-notice";
import { addressOf, type SearchParams } from "@/components/reports/view";
import { ViewFrame, Waiting } from "@/components/reports/view-frame";
import { ButtonLink } from "@/components/ui/button-link";
import { Notice } from "@/components/ui/notice";
import type { SiteShape } from "@/lib/contract/fields";
import { formatExactly, formatMoney } from "@/lib/contract/numbers";
import { PERIODS } from "@/lib/contract/vocabulary";
import { execute } from "@/lib/gateway/execute";
import sitesCombined from "@/lib/operations/sites.combined";
import teamsList from "@/lib/operations/teams.list";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { siteTitle } from "@/lib/platform/legible-host";
import { t } from "@/lib/texts/translate";
import { firstSitesOf, principalOf, query, signedInOwner } from "../../access";
import { LIST_PERIODS } from "../list-query";
import { PeriodMenu } from "../period-menu";
import { CombinedChart } from "./combined-chart";
import { type Combined, sheetsOf } from "./sheets";
import { SiteChoice } from "./site-choice";
import { type CombinedView, chosenParams, combinedInput, combinedUrl, rangeParams, readCombinedView } from "./view";

export const generateMetadata = (): Metadata => ({ title: t("Combined report") });

interface Props {
  searchParams: Promise<SearchParams>;
}

/** One report over several sites. */
export default async function CombinedPage({ searchParams }: Props) {
  const view = readCombinedView(await searchParams);
  const owner = await signedInOwner();
  const input = combinedInput(view);
  const asked = execute(sitesCombined, { principal: principalOf(owner), input, now: new Date() });
  const answering = settle(asked.catch(inWordsOfPages));
  const [{ sites }, { teams }] = await Promise.all([firstSitesOf(owner), query(teamsList, owner, {})]);
  if (sites.length === 0) return <NothingToCombine />;
  const of = (chosen: Partial<CombinedView>): CombinedView => ({
    ...view,
    siteIds: null,
    tag: null,
    teamId: null,
    ...chosen,
  });
  const tags = [...new Set(sites.flatMap((site) => site.tags))].sort();
  const groups = [
    { label: t("All sites"), view: of({}) },
    ...teams.map((team) => ({ label: t("Team {name}", { name: team.name }), view: of({ teamId: team.team_id }) })),
    ...tags.map((tag) => ({ label: t("Tag {name}", { name: tag }), view: of({ tag }) })),
  ].map((group) => ({
    label: group.label,
    href: combinedUrl(group.view),
    current: combinedUrl(group.view) === combinedUrl(view),
  }));
  const chosen = groups.find(({ current }) => current)?.label;
  const { period, from, to } = view;
  return (
    <ViewFrame>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h1 className="text-2xl font-semibold">{t("Combined report")}</h1>
        <div className="flex flex-wrap items-center gap-3">
          <SiteChoice
            key={combinedUrl(view)}
            label={chosen ?? labelOf(view, sites)}
            groups={groups}
            sites={sites.map((site) => ({
              siteId: site.site_id,
              name: siteTitle(site),
              chosen: view.siteIds?.includes(site.site_id) ?? false,
            }))}
            address={combinedUrl(of({ siteIds: [0] })).replace("sites=0", "sites=SITES")}
          />
          <PeriodMenu
            action="/sites/combined"
            label={from && to ? `${from} – ${to}` : t(PERIODS[period])}
            choices={LIST_PERIODS.map((choice) => ({
              label: t(choice.label),
              href: combinedUrl({ ...view, period: choice.value, from: null, to: null }),
              current: !from && choice.value === period,
            }))}
            kept={chosenParams(view)}
            from={from ?? ""}
            to={to ?? ""}
          />
          <ExportMenu
            call={apiCall(env().BASE_URL, sitesCombined.id, input)}
            json={addressOf("/sites/combined/download", {
              ...chosenParams(view),
              ...rangeParams(view),
              format: "json",
            })}
          />
        </div>
      </div>
      <Waiting>
        <Arriving
          key={combinedUrl(view)}
          what={t("this report")}
          fallback={<BodySkeleton />}
          content={Body({
            answering,
            view,
            currencies: [...new Set(sites.map(({ reporting_currency }) => reporting_currency))].sort(),
          })}
        />
      </Waiting>
    </ViewFrame>
  );
}

/** @throws Refusal as people read it: an address may name a site that its reader cannot see */
function inWordsOfPages(error: unknown): never {
  const isForeign = error instanceof Refusal && error.code === "site_not_granted";
  throw isForeign
    ? new Refusal(error.code, t("You cannot see one of these sites, or it was deleted. Choose others."))
    : error;
}

/** What single sites are called. */
function labelOf({ siteIds, tag }: CombinedView, sites: readonly SiteShape[]): string {
  if (!siteIds) return tag ? t("Tag {name}", { name: tag }) : t("A team");
  const only = siteIds.length === 1 && sites.find(({ site_id }) => site_id === siteIds[0]);
  return only ? siteTitle(only) : t("{count, plural, one {One site} other {# sites}}", { count: siteIds.length });
}

interface BodyProps {
  answering: Promise<QueryResult<Combined>>;
  view: CombinedView;
  /** The currencies that the person's sites report in. */
  currencies: readonly string[];
}

async function Body({ answering, view, currencies }: BodyProps) {
  const result = await answering;
  if (!result.ok) {
    return (
      <div className="card p-4">
        <RefusedNotice {...result} />
      </div>
    );
  }
  const { answer } = result;
  if (answer.sites.length === 0) return <NothingChosen />;
  const [sites, ...lists] = sheetsOf(answer, view);
  const chart = chartOf(answer);
  // Lists with another column need more room.
  const isSold = chart.metrics.revenue !== undefined || chart.metrics.conversions !== undefined;
  const left = answer.sites.filter(({ metrics }) => metrics === null).length;
  return (
    <div className="space-y-4">
      <section aria-label={t("Numbers")} className="card">
        <Headlines first={chart} />
        <CombinedChart chart={chart} />
      </section>
      <p className="text-sm text-muted">
        {[
          t("{count, plural, one {One site} other {# sites}}, human visitors only, in the local days of each site.", {
            count: answer.sites.length,
          }),
          answer.sites.length > 1 &&
            t(
              "Visitors are summed, because every site has its own visitor ids: who visits two of them is counted on each. Rates are those of all visits.",
            ),
          answer.metrics.revenue !== undefined &&
            t("Revenue is in {currency}, by the exchange rates of each site.", { currency: answer.currency }),
          answer.metrics.conversions !== undefined &&
            t("Conversions are those of any goal, and their rate is that of the sites with goals."),
          left > 0 &&
            t("{count, plural, one {One site is} other {# sites are}} disabled and left out.", { count: left }),
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
      {answer.metrics.revenue !== undefined && (
        <CurrencyLinks view={view} shown={answer.currency} currencies={currencies} />
      )}
      {answer.truncated && (
        <Notice isPermanent tone="warn">
          {t(
            "There are more sites than one report takes: these are the oldest {count}. Choose a tag, a team or single sites.",
            { count: formatExactly(answer.sites.length) },
          )}
        </Notice>
      )}
      <Unconverted amounts={answer.unconverted.map(formatMoney)} />
      {sites && <DataTable sheet={sites} />}
      <div className={`grid items-start gap-4 ${isSold ? "lg:grid-cols-2 lg:*:last:col-span-2" : "lg:grid-cols-3"}`}>
        {lists.map((sheet) => (
          <DataTable key={sheet.key} sheet={sheet} />
        ))}
      </div>
    </div>
  );
}

/** Links to the same report in the other currencies of the person's sites. */
function CurrencyLinks({ view, shown, currencies }: Pick<BodyProps, "view" | "currencies"> & { shown: string }) {
  const others = currencies.filter((code) => code !== shown);
  if (others.length === 0) return null;
  return (
    <nav aria-label={t("Currency")} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {others.map((currency) => (
        <Link
          key={currency}
          href={combinedUrl({ ...view, currency })}
          prefetch={false}
          scroll={false}
          className="text-accent underline underline-offset-2"
        >
          {t("Show revenue in {currency}", { currency })}
        </Link>
      ))}
    </nav>
  );
}

/** The answer as that of a chart, for the tiles and the chart of a dashboard. */
function chartOf({ from, to, interval, metrics, previous, change, buckets, sites, currency }: Combined): Chart {
  return {
    meta: {
      ...{ site_id: sites[0]?.site_id ?? 1, from: from ?? "", to: to ?? "", interval, timezone: "UTC" },
      ...{ traffic: "human", filters: {}, segment: null, dashboard: null, compare: null, visitors_basis: "daily" },
      partial: buckets.some(({ partial }) => partial),
    },
    ...{ metrics, previous, change, currency, comparison: null, annotations: [] },
    buckets: buckets.map((bucket) => ({
      ...bucket,
      start: `${bucket.label.slice(0, 10)}T${bucket.label.slice(11, 16) || "00:00"}:00Z`,
    })),
  };
}

const NothingToCombine = () => (
  <div className="card mx-auto max-w-xl px-4 py-10 text-center">
    <h1 className="text-lg font-semibold">{t("A combined report needs sites")}</h1>
    <p className="mt-1 text-sm text-muted">{t("It adds up what all of them count. Add the first one.")}</p>
    <ButtonLink href="/sites/new" size="normal" className="mt-4">
      {t("Add a site")}
    </ButtonLink>
  </div>
);

const NothingChosen = () => (
  <div className="card px-4 py-10 text-center">
    <p className="font-medium">{t("No site found")}</p>
    <p className="mt-1 text-sm text-muted">{t("None of your sites has this tag or is in this team.")}</p>
    <ButtonLink href="/sites/combined" look="quiet" size="small" className="mt-4">
      {t("Show all sites")}
    </ButtonLink>
  </div>
);
