"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { t } from "@/lib/texts/translate";

interface Props {
  /** The text to type, in lower case. */
  name: string;
  busy: boolean;
  /** The button, and the button while it works. */
  action?: [idle: string, busy: string];
  /** Error message of the action. */
  problem: string | undefined;
  onConfirm(): void;
}

/** Confirmation of a deletion by typing the name of the deleted object. */
export function TypedConfirmation({ name, busy, action, problem, onConfirm }: Props) {
  const [idle, working] = action ?? [t("Delete permanently"), t("Deleting…")];
  const [wrong, setWrong] = useState<string>();

  function submit(formData: FormData) {
    const typed = String(formData.get("confirmation"));
    const isConfirmed = typed.trim().toLowerCase() === name;
    setWrong(isConfirmed ? undefined : t("Does not match. Type {name}.", { name }));
    if (isConfirmed) onConfirm();
  }

  return (
    <Form problem={problem} onSubmit={submit}>
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <Field
            label={t("Type {name} to confirm", { name })}
            name="confirmation"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            problem={wrong}
          />
        </div>
        <Button type="submit" look="danger" disabled={busy} className="sm:mt-[1.625rem]">
          {busy ? working : idle}
        </Button>
      </div>
    </Form>
  );
}
