import { z } from "zod";
import { chosenIn } from "@/lib/analytics/query/complete-query";
import { isPublicDimension } from "@/lib/analytics/query/dimensions";
import { goalNamed } from "@/lib/analytics/query/goals";
import {
  changeOf,
  changeShape,
  countIfKnown,
  metricsOf,
  metricsShape,
  previousShape,
} from "@/lib/analytics/query/metrics";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import {
  askedOf,
  currencyOfOutcomes,
  dashboardOutcomes,
  GOAL_ABOUT,
  type OutcomeQuestion,
  type OutcomeSums,
  outcomeFields,
  outcomesIn,
  outcomesOfLists,
} from "@/lib/analytics/reports/outcomes";
import { overviewOf, PANELS, type PanelRow, visitorsOfPanels } from "@/lib/analytics/reports/overview";
import { hostsOf, type PageHost } from "@/lib/analytics/reports/page-hosts";
import { defineOperation, isPublicViewer, seesRevenue } from "@/lib/contract/define";
import { about, attribution, chosenGoal, metaShape, reportFields, untrusted } from "@/lib/contract/fields";

const panelShape = z.array(
  z.object({
    value: untrusted.nullable(),
    visitors: z.int(),
    visitors_before: about(z.int(), "Visitors in the comparison range; only with one", 104).optional(),
    visits: countIfKnown("visits"),
    pageviews: countIfKnown("pageviews").optional(),
    conversions: outcomeFields.conversions,
    conversion_rate: outcomeFields.conversion_rate,
    conversion_value: outcomeFields.conversion_value,
    revenue: outcomeFields.revenue,
  }),
);

const row = (value: string, visitors = 128, visits = 161) => [{ value, visitors, visits }];
const EXAMPLES: Record<keyof typeof PANELS, z.input<typeof panelShape>> = {
  pages: row("/pricing"),
  entry_pages: row("/pricing"),
  exit_pages: row("/pricing"),
  sources: row("Google"),
  channels: row("Organic Search"),
  countries: row("DE"),
  regions: row("Berlin"),
  cities: row("Berlin"),
  devices: row("Desktop"),
  browsers: row("Firefox"),
  os: row("macOS"),
  utm_campaigns: row("autumn-sale"),
  utm_sources: row("google"),
  utm_mediums: row("cpc"),
  event_names: row("Signup", 9, 9),
};

const PANEL_ROWS = 10;

export default defineOperation({
  id: "analytics.overview",
  title: "Overview",
  about:
    "The headline metrics of a range, their change, and the ten values with the most visitors in every panel; with conversions of a chosen goal and, on a site with sales, revenue.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ ...reportFields, goal: chosenGoal(GOAL_ABOUT), attribution }),
  example: { site_id: 1, period: "28d", compare: "previous_period" },
  output: z.object({
    meta: metaShape,
    metrics: metricsShape.extend(outcomeFields),
    previous: previousShape
      .unwrap()
      .extend(outcomeFields)
      .nullable()
      .meta({ examples: previousShape.meta()?.examples as [] }),
    change: changeShape
      .extend(outcomeFields)
      .nullable()
      .meta({ examples: changeShape.meta()?.examples as [] }),
    currency: currencyOfOutcomes,
    panels: z.object(
      Object.fromEntries(
        Object.entries(EXAMPLES).map(([key, example]) => [key, panelShape.meta({ examples: [example] })]),
      ) as Record<keyof typeof PANELS, typeof panelShape>,
    ),
    page_hosts: z
      .array(
        z.object({
          path: untrusted.meta({ examples: ["/pricing"] }),
          hostname: about(untrusted, "The host with the most page views of the path", "example.com"),
          hosts: about(z.int(), "The number of hosts with page views of the path", 1),
        }),
      )
      .meta({ description: "Where the pages of these panels were seen" }),
  }),

  async run({ input, principal, site, now }) {
    const chosen = await chosenIn(site.id, input);
    const { scope, before, meta } = await scopeOf({ ...input, ...chosen }, site, now);
    const isPublic = isPublicViewer(principal);
    const goal = chosen.goal && !isPublic ? await goalNamed(site.id, chosen.goal) : null;
    const outcomesOf = async (of: Scope) => (seesRevenue(principal) ? dashboardOutcomes(of, goal) : null);
    const [{ sums, panels: found }, question, earlier] = await Promise.all([
      overviewOf(scope, PANEL_ROWS),
      outcomesOf(scope),
      before && earlierMetrics(before, outcomesOf(before)),
    ]);
    const paths = [found.pages, found.entry_pages, found.exit_pages].flat().flatMap(({ value }) => value ?? []);
    const [{ total, panels: counted }, visitorsBefore, pageHosts] = await Promise.all([
      question ? withOutcomes(question, found) : { total: undefined, panels: found },
      before && visitorsOfPanels(before, found),
      hostsOf(scope, [...new Set(paths)]),
    ]);
    const panels = visitorsBefore ? withVisitorsBefore(counted, visitorsBefore) : counted;
    const outcomes = askedOf(question, total, sums);
    const metrics = { ...metricsOf(sums), ...outcomes };
    return {
      meta,
      metrics,
      previous: earlier,
      change: earlier && changeOf(metrics, earlier),
      currency: outcomes.revenue === undefined && outcomes.conversion_value === undefined ? null : site.currency,
      ...(isPublic
        ? { panels: publicOnly(panels), page_hosts: pageHosts.flatMap((page) => publicHost(page, site.domain)) }
        : { panels, page_hosts: pageHosts }),
    };
  },
});

/** The headline metrics of the comparison range. */
async function earlierMetrics(before: Scope, asked: Promise<OutcomeQuestion | null>) {
  const reached = asked.then((question) => question && outcomesIn(question));
  const [sums, question, total] = await Promise.all([sumsOf(before), asked, reached]);
  return { ...metricsOf(sums), ...askedOf(question, total ?? undefined, sums) };
}

type Row = PanelRow & { visitors_before?: number } & Pick<
    ReturnType<typeof askedOf>,
    "conversions" | "conversion_rate" | "conversion_value" | "revenue"
  >;
type Panels = Record<keyof typeof PANELS, Row[]>;

/** Adds what the visits of each row led to. @returns `total`: what all visits led to. */
async function withOutcomes(
  question: OutcomeQuestion,
  panels: Panels,
): Promise<{ total: OutcomeSums; panels: Panels }> {
  const keys = Object.keys(PANELS) as (keyof typeof PANELS)[];
  const lists = keys.map((panel) => ({ key: PANELS[panel], values: panels[panel].map(({ value }) => value) }));
  const { total, lists: found } = await outcomesOfLists(question, lists);
  const rowsOf = (panel: keyof typeof PANELS, index: number): Row[] =>
    panels[panel].map((row) => {
      const { orders: _, average_order_value: __, ...outcomes } = askedOf(question, found[index]?.get(row.value), row);
      return { ...row, ...outcomes };
    });
  return { total, panels: Object.fromEntries(keys.map((panel, index) => [panel, rowsOf(panel, index)])) as Panels };
}

/** Adds the visitors that each row had in the comparison range. */
const withVisitorsBefore = (panels: Panels, before: Awaited<ReturnType<typeof visitorsOfPanels>>): Panels =>
  Object.fromEntries(
    (Object.keys(PANELS) as (keyof typeof PANELS)[]).map((panel) => [
      panel,
      panels[panel].map((row) => ({ ...row, visitors_before: before[panel].get(row.value) ?? 0 })),
    ]),
  ) as Panels;

/** Empties the lists that a public dashboard does not show. */
const publicOnly = (panels: Panels): Panels =>
  Object.fromEntries(
    Object.entries(panels).map(([key, rows]) => [
      key,
      isPublicDimension(PANELS[key as keyof typeof PANELS]) ? rows : [],
    ]),
  ) as Panels;

/** A public dashboard names no host but that of its address. */
const publicHost = ({ path, hostname }: PageHost, domain: string): PageHost[] =>
  hostname === domain ? [{ path, hostname, hosts: 1 }] : [];
