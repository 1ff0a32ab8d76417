"use client";

import { Field } from "@/components/ui/field";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { signInWithPassword } from "@/lib/auth/browser";
import { EntryForm } from "../entry-form";
import { signUpFirst } from "./actions";

/**
 * Sign-up form for the operator of a new service. @param needsToken false if the browser runs on the server's machine
 */
export function FirstAccountForm({ next, needsToken }: { next: string; needsToken: boolean }) {
  async function send(formData: FormData) {
    const refused = await signUpFirst(formData);
    if (refused) return refused;
    const answer = await signInWithPassword(String(formData.get("email")), String(formData.get("password")));
    window.location.assign(answer.ok ? next : `/login?next=${encodeURIComponent(next)}`);
    return null;
  }

  return (
    <EntryForm action="Create account" busyAction="Creating…" send={send}>
      {(problems) => (
        <>
          {needsToken && (
            <Field
              label="Setup token"
              name="token"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
              hint="The server prints it at start. Look in its log, for example with docker compose logs app."
              problem={problems.token}
              className="font-mono"
            />
          )}
          <Field label="E-mail" name="email" type="email" autoComplete="username" required problem={problems.email} />
          <NewPasswordField problem={problems.password} />
        </>
      )}
    </EntryForm>
  );
}
