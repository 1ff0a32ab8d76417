"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form-dialog";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { Section } from "@/components/ui/section";

/** Locks out everyone else in one action, for a person whose account may be compromised. */
export function Secure({ email }: { email: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Section
      title="Secure your account"
      about="If someone else may have access: sign out everywhere, disconnect all agents, revoke all tokens, withdraw approvals and choose a new password, in one step."
    >
      <Button look="danger" onClick={() => setOpen(true)}>
        Secure my account
      </Button>
      {open && <SecureDialog email={email} onCancel={() => setOpen(false)} />}
    </Section>
  );
}

function SecureDialog({ email, onCancel }: { email: string; onCancel(): void }) {
  const { perform, busy, problems } = useAction("account.secure", { fields: ["password"] });

  async function submit(formData: FormData) {
    // This browser is signed out too.
    if (await perform({ password: String(formData.get("password")) })) window.location.assign("/login?reset=done");
  }

  return (
    <FormDialog
      title="Secure your account?"
      about="Every browser is signed out, including this one. Your agents are disconnected and your tokens revoked. Two-factor authentication stays as it is."
      problems={problems}
      action="Secure my account"
      busyAction="Securing…"
      look="danger"
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      {/* For the browser's password manager. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField label="New password" problem={problems.fields.password} />
    </FormDialog>
  );
}
