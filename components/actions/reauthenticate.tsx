"use client";

import { type FormEvent, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { DialogActions } from "@/components/ui/dialog-actions";
import { Field } from "@/components/ui/field";
import { type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { Refusal } from "@/lib/platform/errors";

interface Props {
  secondFactor: boolean;
  /** Shows the server what was typed. @throws Refusal */
  prove(typed: { password: string; code?: string }): Promise<unknown>;
  onDone(proven: boolean): void;
}

/** Asks a signed-in person once more who they are, above the page they are on. */
export default function Reauthenticate({ secondFactor, prove, onDone }: Props) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The dialog may stand inside a form in the tree of components: that one is not meant.
    event.stopPropagation();
    const typed = new FormData(event.currentTarget);
    const code = typed.get("code");
    setBusy(true);
    try {
      await prove({ password: String(typed.get("password")), ...(code === null ? {} : { code: String(code) }) });
      onDone(true);
    } catch (error) {
      setProblems(
        error instanceof Refusal
          ? problemsOf(error)
          : { fields: {}, message: "The server could not be reached. Try again." },
      );
      setBusy(false);
    }
  }

  return (
    <Dialog
      title="Is it you?"
      about="You signed in a while ago. Enter your password once more to go on."
      problems={problems}
      onCancel={() => onDone(false)}
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <Field
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          problem={problems.fields.password}
        />
        {secondFactor && (
          <Field
            label="Code from your app"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            hint="Or one of your recovery codes."
            problem={problems.fields.code}
          />
        )}
        <DialogActions action="Go on" meanwhile="Checking…" busy={busy} onCancel={() => onDone(false)} />
      </form>
    </Dialog>
  );
}
