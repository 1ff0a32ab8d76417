"use client";

import { useState } from "react";
import type { Plan } from "@/components/reports/experiment-dialog";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy";

const ExperimentDialog = lazyDialog(() => import("@/components/reports/experiment-dialog"));

/** Button to save a plan for an experiment that only has exposures so far. */
export function PlanButton({ siteId, plan, goals }: { siteId: number; plan: Plan; goals: string[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        size="small"
        aria-haspopup="dialog"
        aria-label={`Save ${plan.name}`}
        onClick={() => setOpen(true)}
      >
        Save…
      </Button>
      {open && <ExperimentDialog {...{ siteId, plan, goals }} onClose={() => setOpen(false)} />}
    </>
  );
}
