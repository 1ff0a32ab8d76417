"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FAILED, type FormProblems } from "@/components/ui/form-problems";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { Notice } from "@/components/ui/notice";
import { signInWithPassword } from "@/lib/auth/browser";
import { signUpFirst } from "./actions";

/**
 * Sign-up form for the operator of a new service. @param needsToken false if the browser runs on the server's machine
 */
export function FirstAccountForm({ next, needsToken }: { next: string; needsToken: boolean }) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    setBusy(true);
    const refused = await signUpFirst(formData).catch(() => FAILED);
    if (!refused) {
      const answer = await signInWithPassword(String(formData.get("email")), String(formData.get("password")));
      return window.location.assign(answer.ok ? next : `/login?next=${encodeURIComponent(next)}`);
    }
    setProblems(refused);
    setBusy(false);
  }

  return (
    // noValidate: the server's messages are shown beside the fields instead of the browser's.
    <form onSubmit={submit} method="post" noValidate className="card space-y-4 p-5">
      {problems.message && <Notice>{problems.message}</Notice>}
      {needsToken && (
        <Field
          label="Setup token"
          name="token"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          hint="The server prints it at start. Look in its log, for example with docker compose logs app."
          problem={problems.fields.token}
          className="font-mono"
        />
      )}
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
