"use client";

import { useAction } from "@/components/actions/actions";
import { Field } from "@/components/ui/field";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { signInWithPassword } from "@/lib/auth/browser";
import { t } from "@/lib/texts/translate";
import { EntryForm } from "../entry-form";
import { SetupTokenField } from "./setup-token-field";

/**
 * Sign-up form for the operator of a new service. @param needsToken false if the browser runs on the server's machine
 */
export function FirstAccountForm({ next, needsToken }: { next: string; needsToken: boolean }) {
  const { perform, problems } = useAction("signup.first", {
    fields: needsToken ? ["token", "email", "password"] : ["email", "password"],
  });
  const { fields } = problems;

  async function send(typed: (name: string) => string) {
    const [email, password] = [typed("email"), typed("password")];
    if (!(await perform({ email, password, ...(needsToken && { token: typed("token") }) }))) return false;
    const answer = await signInWithPassword(email, password);
    window.location.assign(answer.ok ? next : `/login?next=${encodeURIComponent(next)}`);
    return true;
  }

  return (
    <EntryForm action={t("Create account")} busyAction={t("Creating…")} problem={problems.message} send={send}>
      {needsToken && <SetupTokenField problem={fields.token} />}
      <Field label={t("Email")} name="email" type="email" autoComplete="username" required problem={fields.email} />
      <NewPasswordField problem={fields.password} />
    </EntryForm>
  );
}
