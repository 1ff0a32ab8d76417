import pLimit from "p-limit";
import { type ReactNode, Suspense } from "react";
import { ListsPart, RefusedPart, SummaryCard } from "@/app/_dashboard/parts";
import type { Answers } from "@/app/_dashboard/queries";
import { AttributionOfLists } from "@/components/reports/attribution-of-lists";
import { type Block, blocksOf } from "@/components/reports/dashboard-panels";
import { Deferred } from "@/components/reports/deferred";
import { ChosenPanels } from "@/components/reports/panels";
import { BodySkeleton } from "@/components/reports/parts/body-skeleton";
import { PanelsSkeleton } from "@/components/reports/skeletons";
import type { View } from "@/components/reports/view";
import { Waiting } from "@/components/reports/view-frame";
import { manages } from "@/lib/contract/access";
import type { Owner } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { isDbIp } from "@/lib/ingest/enrich/geo";
import { msg, t } from "@/lib/texts/translate";
import { DashboardReport, type Schedule } from "./dashboard-report";

/** Data that the panels of a dashboard share. */
export interface DashboardProps {
  owner: Owner;
  site: SiteShape;
  view: View;
  now: Date;
  answers: Answers;
  hasNoEvents: boolean;
}

/** How many reports are queried concurrently. */
const MAX_CONCURRENT_REPORTS = 2;

/**
 * The panels of a dashboard, in its order; each waits only for its own data. Reports are queried from the top down, after
 * the numbers that most panels share, so that the first screen does not wait for panels below it.
 */
export function DashboardBlocks(props: DashboardProps) {
  const blocks = blocksOf(props.view.panels);
  const { chart, panels } = props.answers;
  const limit = pLimit(MAX_CONCURRENT_REPORTS);
  const schedule: Schedule = (task) =>
    limit(async () => {
      await Promise.allSettled([chart, panels]);
      return task();
    });
  return (
    <>
      {!blocks.some(({ kind }) => kind === "summary") && (
        <Suspense>
          <RefusedPart answers={props.answers} view={props.view} />
        </Suspense>
      )}
      {blocks.map((block) =>
        block.kind === "summary" ? (
          <SummaryCard
            key={block.panels[0]}
            answers={props.answers}
            view={props.view}
            site={props.site}
            hasNoEvents={props.hasNoEvents}
            manages={manages(props.site.role)}
            shows={block.panels}
          />
        ) : (
          <Deferred
            key={block.panels[0]}
            what={t(NAMES[block.kind])}
            isReady={block.kind === "lists" && props.answers.ready.lists}
            fallback={SKELETONS[block.kind]}
          >
            <BlockPart {...props} block={block} schedule={schedule} />
          </Deferred>
        ),
      )}
    </>
  );
}

/** Blocks that have no card of their own. */
type LowerBlock = Exclude<Block, { kind: "summary" }>;

const SKELETONS: Record<LowerBlock["kind"], ReactNode> = {
  lists: <PanelsSkeleton />,
  report: <BodySkeleton />,
};

/** Names of the blocks in error messages. */
const NAMES: Record<LowerBlock["kind"], string> = {
  lists: msg("the lists"),
  report: msg("this report"),
};

function BlockPart({ block, schedule, ...props }: DashboardProps & { block: LowerBlock; schedule: Schedule }) {
  const { answers, view } = props;
  if (block.kind === "report") {
    return (
      <Waiting>
        <DashboardReport {...props} panel={block.panels[0]} schedule={schedule} />
      </Waiting>
    );
  }
  return (
    <ListsPart answers={answers}>
      <div className="space-y-4">
        <AttributionOfLists goal={view.goal} />
        <ChosenPanels panels={block.panels} filters={view.filters ?? []} creditDbIp={isDbIp()} />
      </div>
    </ListsPart>
  );
}
