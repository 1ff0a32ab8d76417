import type { z } from "zod";
import { iconOf } from "@/components/icons/icon-of";
import { type ListRow, outcomesInRow, type PanelKey, type PanelsAnswer } from "@/components/reports/answers";
import { paramsOf } from "@/components/reports/filters";
import { NOT_COMPARED, readView, reportInput, type View } from "@/components/reports/view";
import { valueName } from "@/lib/analytics/query/value-names";
import { PANELS } from "@/lib/analytics/reports/overview";
import type { Outcome } from "@/lib/contract/vocabulary";
import analyticsEvents from "@/lib/operations/analytics.events";
import analyticsExplore from "@/lib/operations/analytics.explore";
import analyticsOverview from "@/lib/operations/analytics.overview";
import sitesGoalsList from "@/lib/operations/sites.goals.list";
import { measured, outcomesOfRow } from "./outcomes-of";
import type { QueryContext } from "./queries";

const OF_PAGES: readonly PanelKey[] = ["pages", "entry_pages", "exit_pages"];
/** Same length as the other lists. */
const ROWS = 10;

/** Lists for the view of a URL. @throws Refusal */
export async function panelsFromQuery(context: QueryContext, searchParams: URLSearchParams): Promise<PanelsAnswer> {
  return (await panelsOf(context, readView(paramsOf(searchParams)))).data;
}

/** Lists of a view with labels; those of the overview with the visitors of the comparison range. @throws Refusal */
export async function panelsOf(context: QueryContext, view: View): Promise<{ data: PanelsAnswer }> {
  const { as, siteId, now } = context;
  const input = reportInput(siteId, view);
  const [overview, reached, robots] = await Promise.all([
    as(analyticsOverview, { input: { ...input, goal: view.goal, attribution: view.attribution }, now }),
    goalsReached(context, view),
    robotsIn(context, view),
  ]);
  const { metrics, previous, panels, page_hosts, currency } = overview.data;
  // Where the range before has no visitors at all, "new" on every row would be noise.
  const isCompared = (previous?.visitors ?? 0) > 0;
  const hostnames = new Map(page_hosts.map(({ path, hostname }) => [path, hostname]));
  const rowsOf = (key: PanelKey): ListRow[] =>
    panels[key].map((row) => {
      const { value, visitors, visitors_before: before } = row;
      const icon = iconOf(PANELS[key], value);
      const hostname = OF_PAGES.includes(key) ? hostnames.get(value ?? "") : undefined;
      return {
        value,
        text: valueName(PANELS[key], value),
        ...(icon !== undefined && { icon }),
        visitors,
        ...(isCompared && before !== undefined && { before }),
        ...outcomesOfRow(row),
        ...(hostname !== undefined && { hostname }),
      };
    });
  const lists = Object.fromEntries((Object.keys(PANELS) as PanelKey[]).map((key) => [key, rowsOf(key)]));
  const goals = rowsOfGoals(reached, metrics.revenue !== undefined);
  const data = { visitors: metrics.visitors, currency, lists: lists as PanelsAnswer["lists"], ...goals, robots };
  const hasMoreHosts = new Set(hostnames.values()).size > 1 || page_hosts.some(({ hosts }) => hosts > 1);
  return { data: { ...data, pages_by_host: hasMoreHosts ? await pagesByHost(context, view, metrics) : [] } };
}

/** The pages with the most visitors, each host's on its own. */
async function pagesByHost(
  { as, siteId, now }: QueryContext,
  view: View,
  shown: Partial<Record<Outcome, unknown>>,
): Promise<ListRow[]> {
  const asked = { dimensions: "page,hostname", ...measured(["visitors"], outcomesInRow(shown), view) };
  const input = { ...reportInput(siteId, view), ...NOT_COMPARED, ...asked };
  const { data } = await as(analyticsExplore, { input: { ...input, limit: ROWS }, now });
  return data.rows.flatMap(({ values: [path, hostname], visitors, ...outcomes }) =>
    path && hostname
      ? {
          value: path,
          hostname,
          text: valueName("hostname", hostname) + valueName("page", path),
          visitors: visitors ?? 0,
          ...outcomesOfRow(outcomes),
        }
      : [],
  );
}

/** Robots, their operators and their purposes with the most visitors. A public dashboard shows people only. */
async function robotsIn({ as, siteId, now, goals }: QueryContext, view: View): Promise<PanelsAnswer["robots"]> {
  if (!goals || view.traffic === "human" || view.panels.length > 0) return { robots: [], operators: [], purposes: [] };
  const listOf = async (...dimensions: ("bot" | "bot_operator" | "bot_purpose")[]): Promise<ListRow[]> => {
    const asked = { dimensions: dimensions.join(","), metrics: "visitors", sort: "-visitors", limit: ROWS + 1 };
    const { data } = await as(analyticsExplore, {
      input: { ...reportInput(siteId, view), ...NOT_COMPARED, ...asked },
      now,
    });
    const rows = data.rows.flatMap(({ values, visitors }) => {
      const texts = values.flatMap((value, index) => (value ? [valueName(dimensions[index] as string, value)] : []));
      const icon = iconOf("bot_operator", values[dimensions.indexOf("bot_operator")] ?? null);
      const hasIcon = dimensions.includes("bot_operator");
      return values[0]
        ? [{ value: values[0], text: texts.join(" · "), ...(hasIcon && { icon }), visitors: visitors ?? 0 }]
        : [];
    });
    return rows.slice(0, ROWS);
  };
  const [robots, operators, purposes] = await Promise.all([
    listOf("bot", "bot_operator", "bot_purpose"),
    listOf("bot_operator"),
    listOf("bot_purpose"),
  ]);
  return { robots, operators, purposes };
}

/** Goals with the most visitors. Queried only for default panels, which show them, and only if the site has goals. */
async function goalsReached({ as, siteId, now, goals }: QueryContext, view: View): Promise<ReachedGoal[]> {
  if (!goals || view.panels.length > 0) return [];
  const saved = await as(sitesGoalsList, { input: { site_id: siteId }, now });
  if (saved.data.goals.length === 0) return [];
  const input = { ...reportInput(siteId, view), ...NOT_COMPARED };
  const goalRows = (await as(analyticsEvents, { input, now })).data.goals;
  const reached = goalRows.filter(({ visitors }) => visitors > 0).sort((a, b) => b.visitors - a.visitors);
  return reached.slice(0, ROWS);
}

type ReachedGoal = z.output<(typeof analyticsEvents)["output"]>["goals"][number];

/** What reaching each goal brought: its revenue where the site has sales, its value where it has one. */
function rowsOfGoals(
  reached: readonly ReachedGoal[],
  hasSales: boolean,
): Pick<PanelsAnswer, "goals" | "goals_currency"> {
  const goals = reached.map(
    ({ goal, visitors, count, conversion_rate, conversion_value, revenue }): ListRow => ({
      ...{ value: goal, text: goal, visitors, conversions: count, conversion_rate },
      ...(conversion_value && { conversion_value: Number(conversion_value.amount) }),
      ...(hasSales && { revenue: Number(revenue.amount) }),
    }),
  );
  const isMoney = hasSales || reached.some(({ conversion_value }) => conversion_value !== null);
  return { goals, goals_currency: isMoney ? (reached[0]?.revenue.currency ?? null) : null };
}
