"use client";

import { useState } from "react";
import { useSavedList } from "@/components/actions/saved-list";
import { DeleteSaved } from "@/components/reports/delete-saved";
import type { Plan } from "@/components/reports/experiments/experiment-dialog";
import { SavedRow } from "@/components/reports/saved-row";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy";
import { RowButton } from "@/components/ui/row-button";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { formatShare } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

const ExperimentDialog = lazyDialog(() => import("@/components/reports/experiments/experiment-dialog"));

interface SavedPlan extends Plan {
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

/** The experiments that are planned, and those that are being changed. */
export const usePlans = (siteId: number, plans: readonly SavedPlan[]) =>
  useSavedList({
    siteId,
    kind: "experiments",
    rows: plans,
    fields: ["name", "variants", "variants.*.name", "variants.*.weight", "goal"],
    inputOf: ({ id, name, variants, goal, ended }: Plan) => ({ site_id: siteId, id, name, variants, goal, ended }),
  });

interface Props {
  siteId: number;
  plans: SavedPlan[];
  goals: string[];
  /** Whether the user can change plans. */
  manages: boolean;
}

/** The planned experiments. Managers can add, edit, end and delete them. */
export function Plans({ siteId, plans, goals, manages }: Props) {
  const { shown, editing, open, save, remove } = usePlans(siteId, plans);
  const [deleting, setDeleting] = useState<SavedPlan>();

  return (
    <Section
      title={t("Planned experiments")}
      about={t("The variants, traffic split and goal of each experiment.")}
      aside={
        manages && (
          <Button size="small" aria-haspopup="dialog" onClick={() => open(NEW_PLAN)}>
            {t("New experiment")}
          </Button>
        )
      }
    >
      <Rows
        empty={t(
          "No planned experiments. Experiments without a plan are shown too; a plan sets their goal and traffic split.",
        )}
      >
        {shown.map((plan) => (
          <SavedRow
            key={plan.id}
            name={plan.name}
            badge={plan.ended && <Badge>{t("ended")}</Badge>}
            about={t("{shares}, goal {goal}", { shares: sharesOf(plan), goal: plan.goal })}
            maker={plan.maker}
          >
            {manages && (
              <>
                {/* Only a label: ending an experiment changes no number. */}
                <Button look="quiet" size="small" onClick={() => save({ ...plan, ended: !plan.ended })}>
                  {plan.ended ? t("Reopen") : t("End")}
                  <span className="sr-only"> {plan.name}</span>
                </Button>
                <RowButton action={t("Edit")} name={plan.name} onClick={() => open(plan)} />
                <RowButton action={t("Delete")} name={plan.name} onClick={() => setDeleting(plan)} />
              </>
            )}
          </SavedRow>
        ))}
      </Rows>
      {editing && <ExperimentDialog siteId={siteId} goals={goals} {...editing} />}
      {deleting && (
        <DeleteSaved saved={deleting} onDelete={() => remove(deleting)} onClose={() => setDeleting(undefined)}>
          {t(
            "Its exposures are kept. Without a plan, the report assumes equal shares and counts any goal of the site.",
          )}
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
