import { type List, Panel } from "@/components/reports/panel";
import { questionOf, type View } from "@/components/reports/view";
import type { Owner } from "@/lib/auth/session";
import { execute } from "@/lib/gateway/execute";
import analyticsExplore from "@/lib/operations/analytics.explore";
import { principalOf } from "../../access";
import type { Answers } from "./ask";

/** As many rows as the panels of the overview have. */
const ROWS = 10;

const CAMPAIGNS = { utm_campaign: "Campaign", utm_source: "Source", utm_medium: "Medium" } as const;
const ALL = { ...CAMPAIGNS, event: "Event" } as const;
type Key = keyof typeof ALL;

interface Props {
  owner: Owner;
  siteId: number;
  view: View;
  now: Date;
  answers: Answers;
}

/** Campaigns and events: of what only some sites have. They are asked for once the rest is there, to keep nothing waiting. */
export async function FurtherPanels({ answers, ...asking }: Props) {
  const overview = await answers.overview;
  if (!overview.ok || overview.answer.metrics.visits + overview.answer.metrics.events === 0) return null;
  const keys = Object.keys(ALL) as Key[];
  const lists = await Promise.all(keys.map((key) => listOf(key, asking)));
  const [events, campaigns] = [lists.slice(-1), lists.slice(0, -1)];
  const shown = { visitors: overview.answer.metrics.visitors, filters: asking.view.filters ?? [] };
  const hasRows = (of: List[]) => of.some(({ rows }) => rows.length > 0);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {hasRows(campaigns) && <Panel title="Campaigns" lists={campaigns} {...shown} className="lg:only:col-span-2" />}
      {hasRows(events) && <Panel title="Events" lists={events} {...shown} className="lg:only:col-span-2" />}
    </div>
  );
}

async function listOf(key: Key, { owner, siteId, view, now }: Omit<Props, "answers">): Promise<List> {
  const input = {
    ...questionOf(siteId, view),
    compare: "none",
    metrics: "visitors",
    dimensions: key,
    // Most visits have no campaign: that row is asked for beside the others, and not shown.
    limit: ROWS + 1,
  };
  const { data } = await execute(analyticsExplore, { principal: principalOf(owner), input, now });
  const rows = data.rows.flatMap(({ values: [value], visitors }) =>
    value ? [{ value, visitors: visitors ?? 0 }] : [],
  );
  return {
    key,
    label: ALL[key],
    column: ALL[key],
    dimension: key,
    rows: rows.slice(0, ROWS),
    write: (value) => value ?? "",
  };
}
