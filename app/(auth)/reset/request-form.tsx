"use client";

import { useState } from "react";
import { Field } from "@/components/ui/field";
import { EntryForm } from "../entry-form";
import { requestResetLink } from "./actions";

export function RequestForm() {
  const [requested, setRequested] = useState(false);

  async function send(formData: FormData) {
    const refused = await requestResetLink(formData);
    setRequested(refused === null);
    return refused;
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
    <EntryForm action="Send the link" busyAction="One moment…" send={send}>
      {(problems) => (
        <Field label="E-mail" name="email" type="email" autoComplete="username" required problem={problems.email} />
      )}
    </EntryForm>
  );
}
