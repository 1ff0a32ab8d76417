"use client";

import { type FormEvent, useEffect, useRef } from "react";
import { useDeed } from "@/components/deeds/deeds";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";

/** Asks for password and code, whatever was proved before: without the second step the account is less safe. */
export function SwitchOff({ onDone, onCancel }: { onDone(): void; onCancel(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { perform, busy, problems } = useDeed("totp.stop");

  useEffect(() => dialog.current?.showModal(), []);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const done = await perform({ password: String(typed.get("password")), code: String(typed.get("code")) });
    if (done) onDone();
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby="switch-off"
      onCancel={onCancel}
      className="card m-auto w-[min(24rem,calc(100vw-2rem))] p-5 text-ink shadow-xl backdrop:bg-black/50"
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <div>
          <h2 id="switch-off" className="text-lg font-semibold">
            Switch the second step off?
          </h2>
          <p className="text-sm text-muted">
            Your password alone will sign you in. Your recovery codes end, and every other browser is signed out.
          </p>
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
        <Field
          label="Code from your app"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          hint="Or one of your recovery codes."
          problem={problems.fields.code}
        />
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" look="danger" disabled={busy}>
            {busy ? "Checking…" : "Switch off"}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
