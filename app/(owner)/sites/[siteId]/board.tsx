import pLimit from "p-limit";
import { type ReactNode, Suspense } from "react";
import { ListsPart, RefusedPart, SummaryPart } from "@/app/_dashboard/parts";
import type { Answers } from "@/app/_dashboard/queries";
import { type Block, blocksOf } from "@/components/reports/dashboard-panels";
import { Deferred } from "@/components/reports/deferred";
import { BodySkeleton } from "@/components/reports/pages/body-skeleton";
import { ChosenPanels } from "@/components/reports/panels";
import { PanelsSkeleton, SummarySkeleton } from "@/components/reports/skeletons";
import type { View } from "@/components/reports/view";
import { Waiting } from "@/components/reports/view-frame";
import type { Owner } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { manages } from "@/lib/contract/vocabulary";
import { isDbIp } from "@/lib/ingest/enrich/geo";
import { BoardReport, type Schedule } from "./board-report";

/** What a dashboard is made of. */
export interface BoardProps {
  owner: Owner;
  site: SiteShape;
  view: View;
  now: Date;
  answers: Answers;
  neverAnEvent: boolean;
}

/** So many whole reports are asked for at a time. */
const AT_ONCE = 2;

/**
 * The panels that a view names, in its order; each waits only for its own answer. Whole reports are asked for from the
 * top down, after the numbers that most panels share: those on the first screen do not wait for those far below.
 */
export function Board(props: BoardProps) {
  const blocks = blocksOf(props.view.panels);
  const { chart, panels } = props.answers;
  const limit = pLimit(AT_ONCE);
  const schedule: Schedule = (work) =>
    limit(async () => {
      await Promise.allSettled([chart, panels]);
      return work();
    });
  return (
    <>
      {!blocks.some(({ kind }) => kind === "summary") && (
        <Suspense>
          <RefusedPart answers={props.answers} view={props.view} />
        </Suspense>
      )}
      {blocks.map((block) => (
        <Deferred
          key={block.panels[0]}
          what={NAMES[block.kind]}
          isReady={isReady(block, props.answers)}
          fallback={SKELETONS[block.kind]}
        >
          <BlockPart {...props} block={block} schedule={schedule} />
        </Deferred>
      ))}
    </>
  );
}

/** Whole reports never are: each is asked for in its turn. */
function isReady({ kind }: Block, { there }: Answers): boolean {
  if (kind === "report") return false;
  return kind === "lists" ? there.lists : there.numbers;
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

/** What could not be loaded where one fails. */
const NAMES: Record<Block["kind"], string> = { summary: "the numbers", lists: "the lists", report: "this report" };

function BlockPart({ block, schedule, ...props }: BoardProps & { block: Block; schedule: Schedule }) {
  const { answers, view, site, neverAnEvent } = props;
  if (block.kind === "report") {
    return (
      <Waiting>
        <BoardReport {...props} panel={block.panels[0]} schedule={schedule} />
      </Waiting>
    );
  }
  if (block.kind === "lists") {
    return (
      <ListsPart answers={answers}>
        <ChosenPanels panels={block.panels} domain={site.domain} filters={view.filters ?? []} creditDbIp={isDbIp()} />
      </ListsPart>
    );
  }
  return (
    // Numbers without a chart below them end with the card.
    <Waiting className={`card ${block.panels.includes("chart") ? "" : "overflow-clip"}`}>
      <SummaryPart {...{ answers, view, site, neverAnEvent }} manages={manages(site.role)} shows={block.panels} />
    </Waiting>
  );
}
