"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";

interface Props {
  /** What is typed to say that it is meant, in small letters. */
  name: string;
  busy: boolean;
  /** Why it was refused. */
  problem: string | undefined;
  onMeant(): void;
}

/** For what cannot be taken back: its name is typed, not clicked, so that nobody deletes another one than they mean. */
export function TypedConfirmation({ name, busy, problem, onMeant }: Props) {
  const [wrong, setWrong] = useState<string>();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("confirmation"));
    const meant = typed.trim().toLowerCase() === name;
    setWrong(meant ? undefined : `This is not ${name}.`);
    if (meant) onMeant();
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      {problem && <Notice>{problem}</Notice>}
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <Field
            label={`Type ${name} to go on`}
            name="confirmation"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            problem={wrong}
          />
        </div>
        <Button type="submit" look="danger" disabled={busy} className="sm:mt-[1.625rem]">
          {busy ? "Deleting…" : "Delete for good"}
        </Button>
      </div>
    </form>
  );
}
