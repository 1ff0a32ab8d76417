"use client";

import { useAction } from "@/components/actions/actions";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { signInWithPassword } from "@/lib/auth/browser";
import { t } from "@/lib/texts/translate";
import { EntryForm } from "../../entry-form";

/** Last step of a sign-up: chooses the password after the emailed link was opened. */
export function FinishForm({ token, email }: { token: string; email: string }) {
  const { perform, problems } = useAction("signup.finish", { fields: ["password"] });

  async function send(typed: (name: string) => string) {
    const password = typed("password");
    const done = await perform({ token, password });
    if (!done) return false;
    const answer = await signInWithPassword(email, password);
    // The sign-up link is used up, so it is also removed from the history.
    window.location.replace(answer.ok ? done.next : `/login?next=${encodeURIComponent(done.next)}`);
    return true;
  }

  return (
    <EntryForm action={t("Create account")} busyAction={t("Creating…")} problem={problems.message} send={send}>
      <NewPasswordField email={email} problem={problems.fields.password} />
    </EntryForm>
  );
}
