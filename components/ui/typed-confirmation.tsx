"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";

interface Props {
  /** The text to type, in lower case. */
  name: string;
  busy: boolean;
  /** Error message of the action. */
  problem: string | undefined;
  onConfirm(): void;
}

/** Confirmation of a deletion by typing the name of the deleted object. */
export function TypedConfirmation({ name, busy, problem, onConfirm }: Props) {
  const [wrong, setWrong] = useState<string>();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("confirmation"));
    const isConfirmed = typed.trim().toLowerCase() === name;
    setWrong(isConfirmed ? undefined : `Does not match. Type ${name}.`);
    if (isConfirmed) onConfirm();
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      {problem && <Notice>{problem}</Notice>}
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <Field
            label={`Type ${name} to confirm`}
            name="confirmation"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            problem={wrong}
          />
        </div>
        <Button type="submit" look="danger" disabled={busy} className="sm:mt-[1.625rem]">
          {busy ? "Deleting…" : "Delete permanently"}
        </Button>
      </div>
    </form>
  );
}
