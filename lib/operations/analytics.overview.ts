import { z } from "zod";
import { isPublicDimension } from "@/lib/analytics/query/dimensions";
import {
  changeOf,
  changeShape,
  countIfKnown,
  metricsOf,
  metricsShape,
  previousShape,
} from "@/lib/analytics/query/metrics";
import { scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import { overviewOf, PANELS, type PanelRow } from "@/lib/analytics/reports/overview";
import { hostsOf, type PageHost } from "@/lib/analytics/reports/page-hosts";
import { defineOperation, isPublicViewer } from "@/lib/contract/define";
import { about, metaShape, reportFields, untrusted } from "@/lib/contract/fields";

const panelShape = z.array(
  z.object({
    value: untrusted.nullable(),
    visitors: z.int(),
    visits: countIfKnown("visits"),
    pageviews: countIfKnown("pageviews").optional(),
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
  about: "The headline metrics of a range, their change, and the ten values with the most visitors in every panel.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(reportFields),
  example: { site_id: 1, period: "28d", compare: "previous_period" },
  output: z.object({
    meta: metaShape,
    metrics: metricsShape,
    previous: previousShape,
    change: changeShape.nullable(),
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
    const { scope, before, meta } = await scopeOf(input, site, now);
    const [{ sums, panels }, sumsBefore] = await Promise.all([overviewOf(scope, PANEL_ROWS), before && sumsOf(before)]);
    const [metrics, previous] = [metricsOf(sums), sumsBefore && metricsOf(sumsBefore)];
    const paths = [panels.pages, panels.entry_pages, panels.exit_pages].flat().flatMap(({ value }) => value ?? []);
    const pageHosts = await hostsOf(scope, [...new Set(paths)]);
    return {
      meta,
      metrics,
      previous,
      change: previous && changeOf(metrics, previous),
      ...(isPublicViewer(principal)
        ? { panels: publicOnly(panels), page_hosts: pageHosts.flatMap((page) => publicHost(page, site.domain)) }
        : { panels, page_hosts: pageHosts }),
    };
  },
});

type Panels = Record<keyof typeof PANELS, PanelRow[]>;

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
