"use client";

import { useState } from "react";
import type { EditProps } from "@/components/actions/saved-list";
import { Suggested } from "@/components/reports/suggestions";
import { type VariantDraft, Variants } from "@/components/reports/variants";
import { Field, InputFrame, inputLook } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { t } from "@/lib/texts/translate";

/** A planned experiment; the id is null until it is saved. */
export interface Plan {
  id: string | null;
  name: string;
  variants: { name: string; weight: number }[];
  goal: string;
  ended: boolean;
}

interface Props extends EditProps<Plan> {
  siteId: number;
  /** Names of the site's goals. */
  goals: string[];
}

/** Dialog to plan an experiment: its variants and its goal. */
export default function ExperimentDialog({ siteId, draft, problems, busy, goals, onSave, onCancel }: Props) {
  const [variants, setVariants] = useState<VariantDraft[]>(() =>
    draft.variants.map(({ name, weight }, id) => ({ id, name, weight: String(weight) })),
  );
  const [goal, setGoal] = useState(draft.goal);

  function submit(data: FormData) {
    onSave({
      id: draft.id,
      name: String(data.get("name")),
      variants: variants.map(({ name, weight }) => ({ name, weight: Number(weight.replace(",", ".")) })),
      goal,
      ended: draft.ended,
    });
  }

  return (
    <FormDialog
      title={draft.id ? t("Edit {name}", { name: draft.name }) : t("New experiment")}
      problems={problems}
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Field
        label={t("Name")}
        name="name"
        defaultValue={draft.name}
        hint={t("The experiment name that your pages send with each exposure.")}
        placeholder={t("checkout")}
        autoComplete="off"
        autoCapitalize="off"
        maxLength={255}
        problem={problems.fields.name}
      />
      <Variants variants={variants} problems={problems.fields} onChange={setVariants} />
      <InputFrame
        label={t("Goal")}
        hint={t("A goal of the site or the name of an event.")}
        problem={problems.fields.goal}
      >
        {(attributes) => (
          <Suggested
            {...attributes}
            siteId={siteId}
            field="event"
            known={goals}
            value={goal}
            onChange={({ target }) => setGoal(target.value)}
            placeholder={t("Signup")}
            maxLength={255}
            className={inputLook}
          />
        )}
      </InputFrame>
    </FormDialog>
  );
}
