"use client";

import { Field } from "@/components/ui/field";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { signInWithPassword } from "@/lib/auth/browser";
import { EntryForm } from "../../entry-form";
import { joinAsNew } from "./actions";

/** Form for an invited person without an account: asks for a password only. */
export function JoinForm({ token, email, siteId }: { token: string; email: string; siteId: number }) {
  async function send(formData: FormData) {
    const refused = await joinAsNew(token, formData);
    if (refused) return refused;
    const answer = await signInWithPassword(email, String(formData.get("password")));
    window.location.replace(answer.ok ? `/sites/${siteId}` : "/login");
    return null;
  }

  return (
    <EntryForm action="Create account and join" busyAction="Creating…" send={send}>
      {(problems) => (
        <>
          <Field
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            value={email}
            readOnly
            className="bg-sunken!"
            hint="The invitation is for this address."
            problem={problems.email}
          />
          <NewPasswordField problem={problems.password} />
        </>
      )}
    </EntryForm>
  );
}
