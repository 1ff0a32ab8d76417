"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FAILED, type FormProblems } from "@/components/ui/form-problems";
import { Notice } from "@/components/ui/notice";
import { requestResetLink } from "./actions";

export function RequestForm() {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);
  const [requested, setRequested] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    setBusy(true);
    const refused = await requestResetLink(formData).catch(() => FAILED);
    setBusy(false);
    setRequested(refused === null);
    setProblems(refused ?? { fields: {} });
  }

  if (requested) {
    return (
      <div className="card space-y-2 p-5" role="status">
        <p className="font-medium">If there is an account, an email is on its way.</p>
        <p className="text-sm text-muted">
          Its link works once, for an hour. No email? Check your spam folder, and whether you signed up with another
          address.
        </p>
      </div>
    );
  }
  return (
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
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? "One moment…" : "Send the link"}
      </Button>
    </form>
  );
}
