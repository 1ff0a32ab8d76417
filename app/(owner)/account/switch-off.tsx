"use client";

import { useAction } from "@/components/actions/actions";
import { CredentialFields } from "@/components/actions/credential-fields";
import { FormDialog } from "@/components/ui/form-dialog";

/** Turns two-factor authentication off. Always asks for password and code, even after a recent sign-in. */
export function SwitchOff({ onDone, onCancel }: { onDone(): void; onCancel(): void }) {
  const { perform, busy, problems } = useAction("totp.stop", { fields: ["password", "code"] });

  async function submit(formData: FormData) {
    const done = await perform({ password: String(formData.get("password")), code: String(formData.get("code")) });
    if (done) onDone();
  }

  return (
    <FormDialog
      title="Turn off two-factor authentication?"
      about="Your password alone will sign you in. Your recovery codes stop working, and every other browser is signed out."
      problems={problems}
      action="Turn off"
      busyAction="Checking…"
      look="danger"
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <CredentialFields fields={problems.fields} withCode />
    </FormDialog>
  );
}
