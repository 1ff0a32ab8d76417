"use client";

import type { FormEvent } from "react";
import { useAction } from "@/components/actions/actions";
import { Dialog } from "@/components/ui/dialog";
import { DialogActions } from "@/components/ui/dialog-actions";
import { Field } from "@/components/ui/field";

/** Turns two-factor authentication off. Always asks for password and code, even after a recent sign-in. */
export function SwitchOff({ onDone, onCancel }: { onDone(): void; onCancel(): void }) {
  const { perform, busy, problems } = useAction("totp.stop");

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    const done = await perform({ password: String(formData.get("password")), code: String(formData.get("code")) });
    if (done) onDone();
  }

  return (
    <Dialog
      title="Turn off two-factor authentication?"
      about="Your password alone will sign you in. Your recovery codes stop working, and every other browser is signed out."
      problems={problems}
      onCancel={onCancel}
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
        <Field
          label="Code from your app"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          hint="Or one of your recovery codes."
          problem={problems.fields.code}
        />
        <DialogActions action="Turn off" busyAction="Checking…" look="danger" busy={busy} onCancel={onCancel} />
      </form>
    </Dialog>
  );
}
