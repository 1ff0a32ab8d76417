import type { z } from "zod";
import { namedFilters, namedView } from "@/app/_dashboard/named-filters";
import type { QueryContext } from "@/app/_dashboard/queries";
import { HEADLINES } from "@/components/reports/answers";
import { attributionSentence } from "@/components/reports/attribution-sentence";
import type { Report } from "@/components/reports/definition";
import { describeFilter } from "@/components/reports/filter-text";
import { filtersIn } from "@/components/reports/filters";
import type { ReportOnPaper } from "@/components/reports/pdf/report-pdf";
import { reportInput, type View } from "@/components/reports/view";
import { bucketName, formatDate, formatRange } from "@/components/ui/format";
import type { Principal } from "@/lib/contract/define";
import type { metaShape, SiteShape } from "@/lib/contract/fields";
import { formatMetric } from "@/lib/contract/numbers";
import { METRICS, TRAFFIC } from "@/lib/contract/vocabulary";
import { execute, queryAs } from "@/lib/gateway/execute";
import analyticsChart from "@/lib/operations/analytics.chart";
import { siteTitle } from "@/lib/platform/legible-host";
import { zoned } from "@/lib/platform/time";
import { t } from "@/lib/texts/translate";

/** Returns the saved segments of the site. */
export type Segments = () => Promise<{ id: string; name: string; filters: unknown }[]>;

interface Asked {
  report: Report;
  site: SiteShape;
  view: View;
  /** The goal that the answer was asked with. */
  goal: string | null;
  answer: unknown;
  segments: Segments;
  now: Date;
  signal: AbortSignal;
}

/** Returns what the PDF of a report shows: besides its tables, the totals and the visitors over time of the same view. */
export async function onPaper(
  principal: Principal,
  { report, site, view, goal, answer, segments, now, signal }: Asked,
): Promise<ReportOnPaper> {
  const { meta } = answer as { meta: z.infer<typeof metaShape> };
  const aboutVisitors = !report.now && !report.ownTraffic;
  const context = { as: queryAs(principal, signal), siteId: site.site_id, now };
  const [chart, { filters }, segment] = await Promise.all([
    aboutVisitors ? chartOf(principal, { site, view, now, signal }) : null,
    namedView(context, view),
    segmentWords(context, segments, view.segment),
  ]);
  const at = zoned(now, site.timezone);
  return {
    site: siteTitle(site),
    title: t(report.title),
    about: [
      t("{days}, in the time zone {zone}", {
        days: report.now ? t("The last minutes") : daysOf(meta),
        zone: site.timezone.replaceAll("_", " "),
      }),
      ...(meta.compare ? [t("Compared with {days}", { days: daysOf(meta.compare) })] : []),
      ...(report.ownTraffic ? [] : [t(TRAFFIC[meta.traffic])]),
      ...(goal === null ? [] : [t("Conversions of the goal “{goal}”", { goal })]),
      ...(report.attributed?.(answer) ? [attributionSentence(view.attribution ?? "last")] : []),
      ...segment,
      ...(filters ?? []).map(describeFilter),
    ],
    totals: chart ? totalsOf(chart) : [],
    chart: chart && {
      title: t(METRICS.visitors.label),
      bars: chart.buckets.map(({ label, visitors, partial }) => ({
        name: bucketName(label, chart.meta.interval ?? "day"),
        value: visitors,
        partial,
      })),
    },
    sheets: report.sheets(answer),
    at: now,
    made: t("Made on {day} at {time}", {
      day: formatDate(at.toPlainDate().toString()),
      time: at.toPlainTime().toString({ smallestUnit: "minute" }),
    }),
  };
}

const daysOf = ({ from, to }: { from: string; to: string }): string => {
  const [first, last] = [from.slice(0, 10), to.slice(0, 10)];
  return first === last ? formatDate(first) : formatRange(first, last);
};

async function chartOf(
  principal: Principal,
  { site, view, now, signal }: Pick<Asked, "site" | "view" | "now" | "signal">,
) {
  const input = { ...reportInput(site.site_id, view), interval: view.interval };
  return (await execute(analyticsChart, { principal, input, now, signal })).data;
}

const totalsOf = ({ metrics, previous }: Awaited<ReturnType<typeof chartOf>>): ReportOnPaper["totals"] =>
  HEADLINES.map((metric) => ({
    label: t(METRICS[metric].label),
    value: formatMetric(metric, metrics[metric]),
    before: previous && formatMetric(metric, previous[metric]),
  }));

async function segmentWords(context: QueryContext, segments: Segments, id: string | null): Promise<string[]> {
  const found = id === null ? undefined : (await segments()).find((one) => one.id === id);
  if (!found) return [];
  const filters = await namedFilters(context, filtersIn(found.filters));
  return [t("Segment {name}: {filters}", { name: found.name, filters: filters.map(describeFilter).join("; ") })];
}
