"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import type { FormProblems } from "@/components/ui/form-problems";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { Notice } from "@/components/ui/notice";
import { signInWithPassword } from "@/lib/auth/browser";
import { signUp } from "./actions";

export function SignupForm({ next }: { next: string }) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    setBusy(true);
    const refused = await signUp(typed).catch(() => ({ fields: {}, message: "That did not work. Try again." }));
    if (!refused) {
      const answer = await signInWithPassword(String(typed.get("email")), String(typed.get("password")));
      return window.location.assign(answer.ok ? next : `/login?next=${encodeURIComponent(next)}`);
    }
    setProblems(refused);
    setBusy(false);
  }

  return (
    // The browser's own bubbles are off: the server's sentences stand beside the fields.
    <form onSubmit={submit} method="post" noValidate className="card space-y-4 p-5">
      {problems.message && <Notice>{problems.message}</Notice>}
      <Field
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        problem={problems.fields.email}
      />
      <NewPasswordField problem={problems.fields.password} />
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? "Creating…" : "Create account"}
      </Button>
    </form>
  );
}
