"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { rich } from "@/components/ui/rich";
import { msg, t } from "@/lib/texts/translate";
import { EntryForm } from "../entry-form";

interface Props {
  next: string;
  /** Whether a mail server is configured. */
  sendsEmail: boolean;
}

/** Asks for an email address. The confirmation does not reveal whether the address has an account. */
export function SignupForm({ next, sendsEmail }: Props) {
  const [sentTo, setSentTo] = useState<string>();

  const { perform, problems } = useAction("signup.request", { fields: ["email"] });

  async function send(typed: (name: string) => string) {
    const email = typed("email");
    if (!(await perform({ email, next }))) return false;
    setSentTo(email);
    return true;
  }

  if (sentTo !== undefined) {
    return (
      <div className="card space-y-2 p-5" role="status">
        <h2 className="font-medium">{sendsEmail ? t("Check your email") : t("Ask the operator for the link")}</h2>
        <p className="text-sm break-words">
          {rich(
            sendsEmail
              ? msg("Open the link that was sent to <strong>{email}</strong> to continue. It works for 48 hours.")
              : msg("Continue with the link that was written for <strong>{email}</strong>. It works for 48 hours."),
            { email: sentTo, strong: (text) => <strong>{text}</strong> },
          )}
        </p>
        <p className="text-sm text-muted">
          {sendsEmail
            ? t("No email? Check your spam folder. If your mail server does not accept it now, we retry for a day.")
            : t(
                "No mail server is configured: the operator of this service finds the email in the outbox folder of the data directory.",
              )}
        </p>
        <Button look="quiet" size="small" onClick={() => setSentTo(undefined)}>
          {t("Use another address")}
        </Button>
      </div>
    );
  }
  return (
    <EntryForm action={t("Create account")} busyAction={t("Sending…")} problem={problems.message} send={send}>
      <Field
        label={t("Email")}
        name="email"
        type="email"
        autoComplete="username"
        required
        problem={problems.fields.email}
      />
    </EntryForm>
  );
}
