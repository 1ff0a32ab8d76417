"use client";

import { CodeField } from "@/components/ui/code-field";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { EntryForm } from "../../entry-form";
import { chooseNewPassword } from "../actions";

interface Props {
  token: string;
  email: string;
  secondFactor: boolean;
}

export function NewPasswordForm({ token, email, secondFactor }: Props) {
  async function send(formData: FormData) {
    const refused = await chooseNewPassword(token, formData);
    // The reset link is used up, so it is also removed from the history.
    if (!refused) window.location.replace("/login?reset=done");
    return refused;
  }

  return (
    <EntryForm action="Change password" busyAction="Changing…" send={send}>
      {(problems) => (
        <>
          {/* For the browser's password manager. */}
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <NewPasswordField label="New password" problem={problems.password} />
          {secondFactor && <CodeField problem={problems.code} />}
        </>
      )}
    </EntryForm>
  );
}
