"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FAILED, type FormProblems } from "@/components/ui/form-problems";
import { Notice } from "@/components/ui/notice";
import { requestLink } from "./actions";

interface Props {
  next: string;
  /** Whether a mail server is configured. */
  sendsEmail: boolean;
}

/** Asks for an email address. The confirmation does not reveal whether the address has an account. */
export function SignupForm({ next, sendsEmail }: Props) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);
  const [sentTo, setSentTo] = useState<string>();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    setBusy(true);
    const refused = await requestLink(next, formData).catch(() => FAILED);
    setBusy(false);
    setSentTo(refused ? undefined : String(formData.get("email")));
    setProblems(refused ?? { fields: {} });
  }

  if (sentTo !== undefined) {
    return (
      <div className="card space-y-2 p-5" role="status">
        <h2 className="font-medium">Check your email</h2>
        <p className="text-sm break-words">
          Open the link that was sent to <strong>{sentTo}</strong> to continue. It works for 48 hours.
        </p>
        <p className="text-sm text-muted">
          {sendsEmail
            ? "No email? Check your spam folder. If your mail server does not accept it now, we retry for a day."
            : "No mail server is configured: the operator of this service finds the email in the outbox folder of the data directory."}
        </p>
        <Button look="quiet" size="small" onClick={() => setSentTo(undefined)}>
          Use another address
        </Button>
      </div>
    );
  }
  return (
    // noValidate: the server's messages are shown beside the field instead of the browser's.
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
        {busy ? "Sending…" : "Create account"}
      </Button>
    </form>
  );
}
