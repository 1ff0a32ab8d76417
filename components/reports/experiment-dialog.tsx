"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Suggested } from "@/components/reports/suggestions";
import { type VariantDraft, Variants } from "@/components/reports/variants";
import { Field, InputFrame, inputLook } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { problemsForFields } from "@/components/ui/form-problems";

/** A planned experiment; the id is null until it is saved. */
export interface Plan {
  id: string | null;
  name: string;
  variants: { name: string; weight: number }[];
  goal: string;
  ended: boolean;
}

interface Props {
  siteId: number;
  plan: Plan;
  /** Names of the site's goals. */
  goals: string[];
  onClose(): void;
}

/** Dialog to plan an experiment: its variants and its goal. */
export default function ExperimentDialog({ siteId, plan, goals, onClose }: Props) {
  const { perform, busy, problems } = useAction("sites.experiments.save");
  const [variants, setVariants] = useState<VariantDraft[]>(() =>
    plan.variants.map(({ name, weight }, id) => ({ id, name, weight: String(weight) })),
  );
  const [goal, setGoal] = useState(plan.goal);
  const router = useRouter();
  const variantFields = variants.flatMap((_, index) => [`variants.${index}.name`, `variants.${index}.weight`]);

  async function submit(typed: FormData) {
    const done = await perform({
      site_id: siteId,
      id: plan.id,
      name: String(typed.get("name")),
      variants: variants.map(({ name, weight }) => ({ name, weight: Number(weight.replace(",", ".")) })),
      goal,
      ended: plan.ended,
    });
    if (!done) return;
    router.refresh();
    onClose();
  }

  return (
    <FormDialog
      title={plan.id ? `Edit ${plan.name}` : "New experiment"}
      problems={problemsForFields(problems, ["name", "variants", "goal", ...variantFields])}
      busy={busy}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Field
        label="Name"
        name="name"
        defaultValue={plan.name}
        hint="The experiment name that your pages send with each exposure."
        placeholder="checkout"
        autoComplete="off"
        autoCapitalize="off"
        maxLength={255}
        problem={problems.fields.name}
      />
      <Variants variants={variants} problems={problems.fields} onChange={setVariants} />
      <InputFrame label="Goal" hint="A goal of the site or the name of an event." problem={problems.fields.goal}>
        {(attributes) => (
          <Suggested
            {...attributes}
            siteId={siteId}
            field="event"
            known={goals}
            value={goal}
            onChange={({ target }) => setGoal(target.value)}
            placeholder="Signup"
            maxLength={255}
            className={inputLook}
          />
        )}
      </InputFrame>
    </FormDialog>
  );
}
