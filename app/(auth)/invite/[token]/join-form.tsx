"use client";

import { useAction } from "@/components/actions/actions";
import { Field } from "@/components/ui/field";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { signInWithPassword } from "@/lib/auth/browser";
import { t } from "@/lib/texts/translate";
import { EntryForm } from "../../entry-form";

/** Form for an invited person without an account: asks for a password only. */
export function JoinForm({ token, email, home }: { token: string; email: string; home: string }) {
  const { perform, problems } = useAction("invitations.join", { fields: ["email", "password"] });
  const { fields } = problems;

  async function send(typed: (name: string) => string) {
    const password = typed("password");
    if (!(await perform({ invitation: token, email, password }))) return false;
    const answer = await signInWithPassword(email, password);
    window.location.replace(answer.ok ? home : "/login");
    return true;
  }

  return (
    <EntryForm action={t("Create account and join")} busyAction={t("Creating…")} problem={problems.message} send={send}>
      <Field
        label={t("Email")}
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        readOnly
        className="bg-sunken!"
        hint={t("The invitation is for this address.")}
        problem={fields.email}
      />
      <NewPasswordField problem={fields.password} />
    </EntryForm>
  );
}
