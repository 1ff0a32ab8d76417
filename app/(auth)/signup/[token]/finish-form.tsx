"use client";

import { NewPasswordField } from "@/components/ui/new-password-field";
import { signInWithPassword } from "@/lib/auth/browser";
import { EntryForm } from "../../entry-form";
import { finishSignup } from "../actions";

/** Last step of a sign-up: chooses the password after the emailed link was opened. */
export function FinishForm({ token, email }: { token: string; email: string }) {
  async function send(formData: FormData) {
    const done = await finishSignup(token, formData);
    if (!("next" in done)) return done.problems;
    const answer = await signInWithPassword(email, String(formData.get("password")));
    // The sign-up link is used up, so it is also removed from the history.
    window.location.replace(answer.ok ? done.next : `/login?next=${encodeURIComponent(done.next)}`);
    return null;
  }

  return (
    <EntryForm action="Create account" busyAction="Creating…" send={send}>
      {(problems) => (
        <>
          {/* For the browser's password manager. */}
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <NewPasswordField problem={problems.password} />
        </>
      )}
    </EntryForm>
  );
}
