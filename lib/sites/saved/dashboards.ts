import { z } from "zod";
import { comparedDays, rangeOf } from "@/lib/analytics/calendar/period";
import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { exploreFields, readQuestion } from "@/lib/analytics/query/explore-question";
import { PANELS } from "@/lib/analytics/reports/overview";
import {
  about,
  attribution,
  COMPARISONS,
  chosenGoal,
  keysOf,
  optionalParam,
  reportFields,
  siteId,
  untrusted,
} from "@/lib/contract/fields";
import { PANEL_REPORTS } from "@/lib/contract/reports";
import { ATTRIBUTIONS, PERIODS, TRAFFIC } from "@/lib/contract/vocabulary";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, Prisma } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import { canonicalName } from "@/lib/platform/names";
import { Temporal } from "@/lib/platform/time";
import {
  changedId,
  creatorId,
  currentOf,
  filtersShape,
  type Kind,
  remove,
  save,
  savedFilters,
  savedId,
  savedName,
} from "@/lib/sites/saved/save";

/** Lists that the overview does not have, and the dimension each one shows. */
export const FURTHER_PANELS = {
  languages: "language",
  screens: "screen",
  hostnames: "hostname",
  utm_terms: "utm_term",
  utm_contents: "utm_content",
} as const satisfies Record<string, DimensionKey>;

/** Panels a dashboard can show: headline metrics, chart, lists of the overview and further ones, and reports. */
export const DASHBOARD_PANELS = [
  "metrics",
  "chart",
  ...(Object.keys(PANELS) as (keyof typeof PANELS)[]),
  ...(Object.keys(FURTHER_PANELS) as (keyof typeof FURTHER_PANELS)[]),
  ...PANEL_REPORTS,
] as const;
export type DashboardPanel = (typeof DASHBOARD_PANELS)[number];

/** How Explore draws its rows. */
export const EXPLORE_CHARTS = ["bars", "line", "stacked"] as const;

const EACH_ONCE = `must be some of ${DASHBOARD_PANELS.join(", ")}, each at most once`;
const { period, from, to, traffic, compare, compare_from, compare_to } = reportFields;

/** A saved dashboard. Every report accepts its id as the parameter `dashboard`. Without panels it shows the default ones. */
export const dashboardInput = z.strictObject({
  site_id: siteId,
  id: changedId(savedId),
  name: savedName(),
  filters: savedFilters,
  period,
  from,
  to,
  traffic,
  compare,
  compare_from,
  compare_to,
  panels: z
    .array(z.enum(DASHBOARD_PANELS, EACH_ONCE), EACH_ONCE)
    .max(DASHBOARD_PANELS.length, EACH_ONCE)
    .refine((panels) => new Set(panels).size === panels.length, EACH_ONCE)
    .meta({ description: "Panels in display order; [] for the default panels" }),
  goal: chosenGoal("Name of a goal of the site, whose conversions and rate the dashboard shows; default none"),
  attribution,
  explore: z
    .strictObject(
      {
        ...exploreFields,
        chart: optionalParam(z.enum(EXPLORE_CHARTS, `must be one of ${EXPLORE_CHARTS.join(", ")}`)).meta({
          description: "How the rows are drawn; default bars",
        }),
      },
      "must be an object of metrics, dimensions, sort and chart",
    )
    .nullish()
    .meta({
      description: "A question of analytics.explore: the dashboard then opens there, and has no panels. Default none",
    }),
});
export type DashboardInput = z.output<typeof dashboardInput>;

export const dashboardShape = z
  .object({
    id: savedId,
    name: untrusted.meta({ examples: ["Mornings"] }),
    filters: filtersShape.meta({ examples: [{ country: "FR" }] }),
    period: z
      .enum(keysOf(PERIODS))
      .nullable()
      .meta({ examples: ["7d"] }),
    from: z.string().nullable(),
    to: z.string().nullable(),
    traffic: z
      .enum(keysOf(TRAFFIC))
      .nullable()
      .meta({ examples: ["human"] }),
    compare: z.enum(keysOf(COMPARISONS)).nullable(),
    compare_from: z.string().nullable().meta({ description: "First local day of a custom comparison range" }),
    compare_to: z.string().nullable().meta({ description: "Last local day of a custom comparison range" }),
    panels: z.array(z.enum(DASHBOARD_PANELS)).meta({ examples: [["metrics", "chart", "pages"]] }),
    goal: about(
      untrusted.nullable(),
      "The goal whose conversions it shows; null without one, and once it is deleted",
      null,
    ),
    attribution: about(
      z.enum(keysOf(ATTRIBUTIONS)).nullable(),
      "The visit that conversions and revenue are given to; null as last",
      null,
    ),
    explore: z
      .object({
        metrics: z.string().nullable(),
        dimensions: untrusted.nullable(),
        sort: untrusted.nullable(),
        chart: z.enum(EXPLORE_CHARTS).nullable(),
      })
      .nullable()
      .meta({ description: "The question that it opens in Explore; null for a dashboard of panels", examples: [null] }),
    created_by: creatorId,
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Dashboard" });

interface Row {
  name: string;
  filters: Prisma.InputJsonObject;
  period: string | null;
  from: string | null;
  to: string | null;
  traffic: string | null;
  compare: string | null;
  compareFrom: string | null;
  compareTo: string | null;
  panels: string[];
  goalId: number | null;
  attribution: string | null;
  explore: Prisma.InputJsonObject | typeof Prisma.DbNull;
}

const WITH_GOAL = { goal: { select: { name: true } } } as const;

const DASHBOARDS: Kind<string, Row, DashboardRow> = {
  label: "dashboard",
  count: (tx, siteId) => tx.dashboard.count({ where: { siteId } }),
  create: (tx, row) => tx.dashboard.create({ data: row, include: WITH_GOAL }),
  update: (tx, siteId, id, row, now) =>
    tx.dashboard.updateMany({ where: { siteId, id }, data: { ...row, updatedAt: now } }),
  remove: (tx, siteId, id) => tx.dashboard.deleteMany({ where: { siteId, id } }),
  find: (tx, siteId, id) => tx.dashboard.findFirst({ where: { siteId, id }, include: WITH_GOAL }),
};

/** Lists the dashboards of a site by name. */
export const listDashboards = (siteId: number, on: Db) =>
  on.dashboard.findMany({ where: { siteId }, orderBy: { name: "asc" }, include: WITH_GOAL });

/** Formats a dashboard for API responses. */
export const describeDashboard = (row: DashboardRow): z.input<typeof dashboardShape> => {
  const { id, name, filters, period, from, to, traffic, compare, panels, attribution, explore } = row;
  const days = { compare_from: row.compareFrom, compare_to: row.compareTo };
  const goal = row.goal?.name ?? null;
  const view = { filters, period, from, to, traffic, compare, ...days, panels, goal, attribution, explore };
  return {
    id,
    name,
    ...(view as unknown as StoredView),
    created_by: row.createdById,
    updated_at: row.updatedAt.toISOString(),
  };
};
/** The values of the text columns, which were validated when saved. */
type StoredView = Omit<z.input<typeof dashboardShape>, "id" | "name" | "created_by" | "updated_at">;
type DashboardRow = Prisma.DashboardGetPayload<{ include: typeof WITH_GOAL }>;

export const currentDashboard = currentOf(DASHBOARDS, describeDashboard);

/** Creates or changes a dashboard. @throws Refusal see `save`, and `invalid_input` for invalid filters, ranges or goals */
export async function saveDashboard(work: SiteWork, input: DashboardInput): Promise<DashboardRow> {
  const { id, name, filters, period = null, from = null, to = null, traffic = null, compare = null, panels } = input;
  // Whether a range is valid does not depend on the timezone.
  rangeOf({ period, from, to }, "UTC", work.now, Temporal.PlainDate.from("1970-01-01"));
  const compared = comparedDays(input);
  const { metrics = null, dimensions = null, sort = null, chart = null } = input.explore ?? {};
  if (input.explore) {
    readQuestion({ metrics, dimensions, sort }, input.goal ?? null, "explore.");
    if (panels.length > 0)
      throw invalidInput([{ path: "panels", message: "must be [] beside explore; leave one of them out" }]);
  }
  const row = {
    name,
    filters: filters as Prisma.InputJsonObject,
    period,
    from,
    to,
    traffic,
    compare,
    compareFrom: compared?.from.toString() ?? null,
    compareTo: compared?.to.toString() ?? null,
    panels,
    goalId: input.goal ? await goalIdOf(work, input.goal) : null,
    attribution: input.attribution ?? null,
    explore: input.explore ? { metrics, dimensions, sort, chart } : Prisma.DbNull,
  };
  return save(work, DASHBOARDS, id, row);
}

/** @throws Refusal `invalid_input` for a goal that the site does not have */
async function goalIdOf({ db: tx, site }: SiteWork, typed: string): Promise<number> {
  const goal = await tx.goal.findFirst({ where: { siteId: site.id, name: { in: [typed, canonicalName(typed)] } } });
  if (goal) return goal.id;
  const message = "must be the name of a goal of the site, as sites.goals.list has them; leave it out to choose none";
  throw invalidInput([{ path: "goal", message }]);
}

/** Deletes a dashboard. @throws Refusal see `remove` */
export const deleteDashboard = (work: SiteWork, id: string): Promise<DashboardRow> => remove(work, DASHBOARDS, id);
