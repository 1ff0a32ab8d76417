"use client";

import type { Plan } from "@/components/reports/experiments/experiment-dialog";
import { usePlans } from "@/components/reports/experiments/plans";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy";
import { t } from "@/lib/texts/translate";

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
        aria-label={t("Save {name}", { name: plan.name })}
        onClick={() => open(plan)}
      >
        {t("Save…")}
      </Button>
      {editing && <ExperimentDialog siteId={siteId} goals={goals} {...editing} />}
    </>
  );
}
