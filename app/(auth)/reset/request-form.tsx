"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Field } from "@/components/ui/field";
import { t } from "@/lib/texts/translate";
import { EntryForm } from "../entry-form";

/** Asks for an email address. The answer does not reveal whether it has an account. */
export function RequestForm({ sendsEmail }: { sendsEmail: boolean }) {
  const [requested, setRequested] = useState(false);

  const { perform, problems } = useAction("reset.request", { fields: ["email"] });

  async function send(typed: (name: string) => string) {
    const done = (await perform({ email: typed("email") })) !== null;
    setRequested(done);
    return done;
  }

  if (requested) {
    return (
      <div className="card space-y-2 p-5" role="status">
        <p className="font-medium">
          {sendsEmail
            ? t("If there is an account, an email is on its way.")
            : t("Ask the operator of this service for the link.")}
        </p>
        <p className="text-sm text-muted">
          {sendsEmail
            ? t(
                "Its link works once, for an hour. No email? Check your spam folder, and whether you signed up with another address.",
              )
            : t(
                "No mail server is configured. If there is an account, the operator finds an email with a link in the folder outbox of DATA_DIR: the newest file. The link works once, for an hour.",
              )}
        </p>
      </div>
    );
  }
  return (
    <EntryForm action={t("Send the link")} busyAction={t("One moment…")} problem={problems.message} send={send}>
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
