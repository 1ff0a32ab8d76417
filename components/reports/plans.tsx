"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useButtonAction } from "@/components/actions/actions";
import DeleteSaved from "@/components/reports/delete-saved";
import type { Plan } from "@/components/reports/experiment-dialog";
import { RowButton } from "@/components/reports/row-button";
import { SavedRow } from "@/components/reports/saved-row";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatShare } from "@/components/ui/format";
import { lazyDialog } from "@/components/ui/lazy";
import { Section } from "@/components/ui/section";

const ExperimentDialog = lazyDialog(() => import("@/components/reports/experiment-dialog"));

export interface SavedPlan extends Plan {
  id: string;
  maker: string | null;
}

const NEW_PLAN: Plan = {
  id: null,
  name: "",
  variants: [
    { name: "control", weight: 1 },
    { name: "", weight: 1 },
  ],
  goal: "",
  ended: false,
};

interface Props {
  siteId: number;
  plans: SavedPlan[];
  goals: string[];
  /** Whether the user can change plans. */
  manages: boolean;
}

/** The planned experiments. Managers can add, edit, end and delete them. */
export function Plans({ siteId, plans, goals, manages }: Props) {
  const [open, setOpen] = useState<{ plan: Plan } | { deleting: SavedPlan }>();
  const { perform, busy } = useButtonAction("sites.experiments.save");
  const router = useRouter();

  /** Ends or reopens an experiment. This is only a label and does not change its numbers. */
  async function end(saved: SavedPlan, ended: boolean) {
    const { maker: _, ...plan } = saved;
    if (await perform({ site_id: siteId, ...plan, ended }, () => end(saved, ended))) router.refresh();
  }

  return (
    <Section
      title="Planned experiments"
      about="The variants, traffic split and goal of each experiment."
      aside={
        manages && (
          <Button size="small" aria-haspopup="dialog" onClick={() => setOpen({ plan: NEW_PLAN })}>
            New experiment
          </Button>
        )
      }
    >
      {plans.length === 0 && (
        <p className="text-sm text-muted">
          No planned experiments. Experiments without a plan are shown too; a plan sets their goal and traffic split.
        </p>
      )}
      <ul className="divide-y divide-line not-empty:-my-2.5">
        {plans.map((plan) => (
          <SavedRow
            key={plan.id}
            name={plan.name}
            badge={plan.ended && <Badge>ended</Badge>}
            about={`${sharesOf(plan)}, goal ${plan.goal}`}
            maker={plan.maker}
          >
            {manages && (
              <>
                <Button look="quiet" size="small" disabled={busy} onClick={() => end(plan, !plan.ended)}>
                  {plan.ended ? "Reopen" : "End"}
                  <span className="sr-only"> {plan.name}</span>
                </Button>
                <RowButton action="Edit" name={plan.name} onClick={() => setOpen({ plan })} />
                <RowButton action="Delete" name={plan.name} onClick={() => setOpen({ deleting: plan })} />
              </>
            )}
          </SavedRow>
        ))}
      </ul>
      {open && "plan" in open && (
        <ExperimentDialog {...{ siteId, goals }} plan={open.plan} onClose={() => setOpen(undefined)} />
      )}
      {open && "deleting" in open && (
        <DeleteSaved
          siteId={siteId}
          kind="experiments"
          saved={open.deleting}
          onDone={() => {
            setOpen(undefined);
            router.refresh();
          }}
          onCancel={() => setOpen(undefined)}
        >
          Its exposures are kept. Without a plan, the report assumes equal shares and counts any goal of the site.
        </DeleteSaved>
      )}
    </Section>
  );
}

/** "control 50%, bold 50%". */
function sharesOf({ variants }: Plan): string {
  const all = variants.reduce((sum, { weight }) => sum + weight, 0);
  return variants.map(({ name, weight }) => `${name} ${formatShare(weight / all)}`).join(", ");
}
