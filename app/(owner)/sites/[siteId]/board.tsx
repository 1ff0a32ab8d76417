import { type ReactNode, Suspense } from "react";
import type { Answers } from "@/app/_dashboard/ask";
import { RefusedPart, SummaryPart } from "@/app/_dashboard/parts";
import { BodySkeleton } from "@/components/reports/pages/body-skeleton";
import { Panel } from "@/components/reports/panel";
import { DbIpCredit, listOfPanel, PLACES } from "@/components/reports/panels";
import { PanelsSkeleton, SummarySkeleton } from "@/components/reports/skeletons";
import type { View } from "@/components/reports/view";
import { type Block, blocksOf, type ListPanel, PANEL_NAMES } from "@/components/saved/panels";
import type { Owner } from "@/lib/auth/session";
import type { SiteShape } from "@/lib/contract/fields";
import { isDbIp } from "@/lib/ingest/geo";
import { BoardReport } from "./board-report";

/** What a dashboard is made of. */
export interface BoardProps {
  owner: Owner;
  site: SiteShape;
  view: View;
  now: Date;
  answers: Answers;
  neverAnEvent: boolean;
}

/** The panels that a view names, in its order; each waits only for its own answer. */
export function Board(props: BoardProps) {
  const blocks = blocksOf(props.view.panels);
  return (
    <>
      {!blocks.some(({ kind }) => kind === "summary") && (
        <Suspense>
          <RefusedPart answers={props.answers} view={props.view} />
        </Suspense>
      )}
      {blocks.map((block) => (
        <Suspense key={block.panels[0]} fallback={SKELETONS[block.kind]}>
          <BlockPart {...props} block={block} />
        </Suspense>
      ))}
    </>
  );
}

const SKELETONS: Record<Block["kind"], ReactNode> = {
  summary: (
    <div className="card">
      <SummarySkeleton />
    </div>
  ),
  lists: <PanelsSkeleton />,
  report: <BodySkeleton />,
};

function BlockPart({ block, ...props }: BoardProps & { block: Block }) {
  if (block.kind === "report") return <BoardReport {...props} panel={block.panels[0]} />;
  if (block.kind === "lists") return <Lists {...props} panels={block.panels} />;
  const { answers, view, site, neverAnEvent } = props;
  return (
    // Numbers without a chart below them end with the card.
    <div className={`card ${block.panels.includes("chart") ? "" : "overflow-clip"}`}>
      <SummaryPart {...{ answers, view, site, neverAnEvent }} shows={block.panels} />
    </div>
  );
}

async function Lists({ panels, site, view, answers }: BoardProps & { panels: ListPanel[] }) {
  const overview = await answers.overview;
  if (!overview.ok) return null;
  const { metrics, panels: rows } = overview.answer;
  if (metrics.visits + metrics.events === 0) return null;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {panels.map((panel) => (
        <Panel
          key={panel}
          title={PANEL_NAMES[panel]}
          lists={[listOfPanel(panel, rows, site.domain)]}
          visitors={metrics.visitors}
          filters={view.filters ?? []}
          className="lg:last:odd:col-span-2"
          footer={PLACES.includes(panel) && isDbIp() && <DbIpCredit />}
        />
      ))}
    </div>
  );
}
