"use client";

import type { Plan } from "@/components/reports/experiments/experiment-dialog";
import { usePlans } from "@/components/reports/experiments/plans";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy";

const ExperimentDialog = lazyDialog(() => import("@/components/reports/experiments/experiment-dialog"));

interface Props {
  siteId: number;
  plan: Plan;
  goals: string[];
}

/** Button to save a plan for an experiment that only has exposures so far. */
export function PlanButton({ siteId, plan, goals }: Props) {
  const { editing, open } = usePlans(siteId, []);
  return (
    <>
      <Button
        look="quiet"
        size="small"
        aria-haspopup="dialog"
        aria-label={`Save ${plan.name}`}
        onClick={() => open(plan)}
      >
        Save…
      </Button>
      {editing && <ExperimentDialog siteId={siteId} goals={goals} {...editing} />}
    </>
  );
}
