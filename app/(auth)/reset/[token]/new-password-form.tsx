"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FAILED, type FormProblems } from "@/components/ui/form-problems";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { Notice } from "@/components/ui/notice";
import { chooseNewPassword } from "../actions";

interface Props {
  token: string;
  email: string;
  secondFactor: boolean;
}

export function NewPasswordForm({ token, email, secondFactor }: Props) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    setBusy(true);
    const refused = await chooseNewPassword(token, formData).catch(() => FAILED);
    // The reset link is used up, so it is also removed from the history.
    if (!refused) return window.location.replace("/login?reset=done");
    setProblems(refused);
    setBusy(false);
  }

  return (
    <form onSubmit={submit} method="post" noValidate className="card space-y-4 p-5">
      {problems.message && <Notice>{problems.message}</Notice>}
      {/* For the browser's password manager. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField label="New password" problem={problems.fields.password} />
      {secondFactor && (
        <Field
          label="Code from your app"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          hint="Six digits, or one of your recovery codes."
          problem={problems.fields.code}
        />
      )}
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? "Changing…" : "Change password"}
      </Button>
    </form>
  );
}
