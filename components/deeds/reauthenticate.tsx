"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { Notice } from "@/components/ui/notice";
import { Refusal } from "@/lib/contract/errors";

interface Props {
  secondFactor: boolean;
  /** Shows the server what was typed. @throws Refusal */
  prove(typed: { password: string; code?: string }): Promise<unknown>;
  onDone(proven: boolean): void;
}

/** Asks a signed-in person once more who they are, above the page they are on. */
export function Reauthenticate({ secondFactor, prove, onDone }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);

  useEffect(() => dialog.current?.showModal(), []);

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
    <dialog
      ref={dialog}
      aria-labelledby="reauthenticate"
      onCancel={() => onDone(false)}
      className="card m-auto w-[min(24rem,calc(100vw-2rem))] p-5 text-ink shadow-xl backdrop:bg-black/50"
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <div>
          <h2 id="reauthenticate" className="text-lg font-semibold">
            Is it you?
          </h2>
          <p className="text-sm text-muted">You signed in a while ago. Enter your password once more to go on.</p>
        </div>
        {problems.message && <Notice>{problems.message}</Notice>}
        <Field
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
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
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={() => onDone(false)}>
            Cancel
          </Button>
          <Button type="submit" disabled={busy}>
            {busy ? "Checking…" : "Go on"}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
