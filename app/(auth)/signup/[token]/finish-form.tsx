"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { FAILED, type FormProblems, problemsForFields } from "@/components/ui/form-problems";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { Notice } from "@/components/ui/notice";
import { signInWithPassword } from "@/lib/auth/browser";
import { finishSignup } from "../actions";

/** Last step of a sign-up: chooses the password after the emailed link was opened. */
export function FinishForm({ token, email }: { token: string; email: string }) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    setBusy(true);
    const done = await finishSignup(token, formData).catch(() => ({ problems: FAILED }));
    if ("next" in done) {
      const answer = await signInWithPassword(email, String(formData.get("password")));
      // The sign-up link is used up, so it is also removed from the history.
      return window.location.replace(answer.ok ? done.next : `/login?next=${encodeURIComponent(done.next)}`);
    }
    setProblems(problemsForFields(done.problems, ["password"]));
    setBusy(false);
  }

  return (
    <form onSubmit={submit} method="post" noValidate className="card space-y-4 p-5">
      {problems.message && <Notice>{problems.message}</Notice>}
      {/* For the browser's password manager. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField problem={problems.fields.password} />
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? "Creating…" : "Create account"}
      </Button>
    </form>
  );
}
