import type { Filter } from "@/components/reports/filters";
import { type List, Panel } from "@/components/reports/panel";
import { listOfPanel } from "@/components/reports/panels";
import type { Answers } from "./ask";

interface Props {
  answers: Answers;
  filters: readonly Filter[];
}

/** Campaigns and events, of what only some sites have. */
export async function FurtherPanels({ answers, filters }: Props) {
  const overview = await answers.overview;
  if (!overview.ok) return null;
  const { metrics, panels } = overview.answer;
  const lists = (...keys: (keyof typeof panels)[]) => keys.map((key) => listOfPanel(key, panels, null));
  const [campaigns, events] = [lists("utm_campaigns", "utm_sources", "utm_mediums"), lists("event_names")];
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
