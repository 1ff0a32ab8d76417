import type { Overview } from "@/components/reports/answers";
import type { Filter } from "@/components/reports/filters";
import { type List, Panel } from "@/components/reports/panel";
import type { Answers } from "./ask";

type Panels = Overview["panels"];

const listOf = (dimension: string, label: string, rows: List["rows"]): List => ({
  key: dimension,
  label,
  column: label,
  dimension,
  rows,
  write: (value) => value ?? "",
});

const campaignLists = ({ utm_campaigns, utm_sources, utm_mediums }: Panels): List[] => [
  listOf("utm_campaign", "Campaign", utm_campaigns),
  listOf("utm_source", "Source", utm_sources),
  listOf("utm_medium", "Medium", utm_mediums),
];

interface Props {
  answers: Answers;
  filters: readonly Filter[];
}

/** Campaigns and events, of what only some sites have. */
export async function FurtherPanels({ answers, filters }: Props) {
  const overview = await answers.overview;
  if (!overview.ok) return null;
  const { metrics, panels } = overview.answer;
  const [campaigns, events] = [campaignLists(panels), [listOf("event", "Event", panels.event_names)]];
  const shown = { visitors: metrics.visitors, filters };
  const hasRows = (of: List[]) => of.some(({ rows }) => rows.length > 0);
  if (!hasRows(campaigns) && !hasRows(events)) return null;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {hasRows(campaigns) && <Panel title="Campaigns" lists={campaigns} {...shown} className="lg:only:col-span-2" />}
      {hasRows(events) && <Panel title="Events" lists={events} {...shown} className="lg:only:col-span-2" />}
    </div>
  );
}
