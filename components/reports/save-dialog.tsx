"use client";

import type { ComponentProps, ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { t } from "@/lib/texts/translate";

interface Props extends Omit<ComponentProps<typeof FormDialog>, "children" | "onSubmit"> {
  /** What was opened, which can be changed or saved as new; null, or without an id, for a new one. */
  saved: { id: string | null; name: string } | null;
  hint?: string;
  /** Fields above the name. */
  above?: ReactNode;
  /** Fields below the name. */
  children?: ReactNode;
  /** @param saving its name, and the id of what is changed; null for a new one */
  onSave(saving: { id: string | null; name: string }, data: FormData): unknown;
}

/** Dialog to save something of a site under a name. */
export function SaveDialog({ saved, hint, above, children, buttons, onSave, ...dialog }: Props) {
  const id = saved?.id ?? null;
  const save = (id: string | null, data: FormData) => onSave({ id, name: String(data.get("name")) }, data);
  return (
    <FormDialog
      {...dialog}
      buttons={
        <>
          {buttons}
          {id !== null && (
            // It submits no form: Enter would press the first button that does.
            <Button
              look="quiet"
              disabled={dialog.busy}
              onClick={({ currentTarget: { form } }) => form && save(null, new FormData(form))}
            >
              {t("Save as new")}
            </Button>
          )}
        </>
      }
      onSubmit={(data) => save(id, data)}
    >
      {above}
      <Field
        label={t("Name")}
        name="name"
        defaultValue={saved?.name}
        hint={hint}
        autoComplete="off"
        maxLength={191}
        problem={dialog.problems.fields.name}
      />
      {children}
    </FormDialog>
  );
}
