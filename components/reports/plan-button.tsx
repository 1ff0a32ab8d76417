"use client";

import type { Plan } from "@/components/reports/experiment-dialog";
import { usePlans } from "@/components/reports/plans";
import { Button } from "@/components/ui/button";
import { lateDialog } from "@/components/ui/late";

const ExperimentDialog = lateDialog(
  () => import("@/components/reports/experiment-dialog"),
  ({ onCancel }) => onCancel(),
);

interface Props {
  siteId: number;
  plan: Plan;
  goals: string[];
}

/** Makes a plan of an experiment that was only seen. */
export function PlanButton({ siteId, plan, goals }: Props) {
  const { opened, busy, open, close, save } = usePlans(siteId, []);
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
      {opened && <ExperimentDialog {...{ siteId, goals, busy }} {...opened} onSave={save} onCancel={close} />}
    </>
  );
}
