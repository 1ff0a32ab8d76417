"use client";

import { useAction } from "@/components/actions/actions";
import { CodeField } from "@/components/ui/code-field";
import { NewPasswordField } from "@/components/ui/new-password-field";
import type { CodeKind } from "@/lib/auth/person-ways";
import { t } from "@/lib/texts/translate";
import { EntryForm } from "../../entry-form";

interface Props {
  token: string;
  email: string;
  /** Which code it needs; null: none. */
  code: CodeKind | null;
}

export function NewPasswordForm({ token, email, code }: Props) {
  const { perform, problems } = useAction("reset.finish", {
    fields: code ? ["password", "code"] : ["password"],
  });
  const { fields } = problems;

  async function send(typed: (name: string) => string) {
    const input = { token, password: typed("password"), ...(code && { code: typed("code") }) };
    if (!(await perform(input))) return false;
    // The reset link is used up, so it is also removed from the history.
    window.location.replace("/login?reset=done");
    return true;
  }

  return (
    <EntryForm action={t("Change password")} busyAction={t("Changing…")} problem={problems.message} send={send}>
      <NewPasswordField email={email} label={t("New password")} problem={fields.password} />
      {code && <CodeField kind={code} problem={fields.code} />}
    </EntryForm>
  );
}
