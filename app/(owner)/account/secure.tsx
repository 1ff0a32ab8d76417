"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form-dialog";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { Section } from "@/components/ui/section";
import { t } from "@/lib/texts/translate";

/** Locks out everyone else in one action, for a person whose account may be compromised. */
export function Secure({ email, withPassword }: { email: string; withPassword: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <Section
      title={t("Secure your account")}
      about={
        withPassword
          ? t(
              "If someone else may have access: sign out everywhere, remove passkeys, disconnect all agents, revoke all tokens, withdraw approvals and choose a new password, in one step.",
            )
          : t(
              "If someone else may have access: sign out everywhere, remove passkeys, disconnect all agents, revoke all tokens and withdraw approvals, in one step.",
            )
      }
    >
      <Button look="danger" onClick={() => setOpen(true)}>
        {t("Secure my account")}
      </Button>
      {open && <SecureDialog email={email} withPassword={withPassword} onCancel={() => setOpen(false)} />}
    </Section>
  );
}

interface Props {
  email: string;
  withPassword: boolean;
  onCancel(): void;
}

function SecureDialog({ email, withPassword, onCancel }: Props) {
  const { perform, busy, problems } = useAction("account.secure", { fields: ["password"] });

  async function submit(formData: FormData) {
    // This browser is signed out too.
    if (!(await perform(withPassword ? { password: String(formData.get("password")) } : {}))) return;
    window.location.assign(withPassword ? "/login?reset=done" : "/login");
  }

  return (
    <FormDialog
      title={t("Secure your account?")}
      about={t(
        "Every browser is signed out, including this one. Passkeys are removed if you have another way to sign in. Your agents are disconnected and your tokens revoked. An authenticator app stays as it is.",
      )}
      problems={problems}
      action={t("Secure my account")}
      busyAction={t("Securing…")}
      look="danger"
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      {withPassword && <NewPasswordField email={email} label={t("New password")} problem={problems.fields.password} />}
    </FormDialog>
  );
}
