"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FAILED, type FormProblems } from "@/components/ui/form-problems";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { Notice } from "@/components/ui/notice";
import { signInWithPassword } from "@/lib/auth/browser";
import { joinAsNew } from "./actions";

/** Form for an invited person without an account: asks for a password only. */
export function JoinForm({ token, email, siteId }: { token: string; email: string; siteId: number }) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    setBusy(true);
    const refused = await joinAsNew(token, formData).catch(() => FAILED);
    if (!refused) {
      const answer = await signInWithPassword(email, String(formData.get("password")));
      return window.location.replace(answer.ok ? `/sites/${siteId}` : "/login");
    }
    setProblems(refused);
    setBusy(false);
  }

  return (
    <form onSubmit={submit} method="post" noValidate className="card space-y-4 p-5">
      {problems.message && <Notice>{problems.message}</Notice>}
      <Field
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        readOnly
        className="bg-sunken!"
        hint="The invitation is for this address."
        problem={problems.fields.email}
      />
      <NewPasswordField problem={problems.fields.password} />
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? "Creating…" : "Create account and join"}
      </Button>
    </form>
  );
}
