"use client";

import { useAction } from "@/components/actions/actions";
import { CredentialFields } from "@/components/actions/credential-fields";
import { FormDialog } from "@/components/ui/form-dialog";

interface Props {
  secondFactor: boolean;
  onDone(): void;
  onCancel(): void;
}

/** Dialog that asks a signed-in person for their password (and two-factor code) again. */
export default function Reauthenticate({ secondFactor, onDone, onCancel }: Props) {
  const { perform, busy, problems } = useAction("session.reauthenticate", {
    fields: secondFactor ? ["password", "code"] : ["password"],
  });

  async function submit(typed: FormData) {
    const code = typed.get("code");
    const input = { password: String(typed.get("password")), ...(code !== null && { code: String(code) }) };
    if (await perform(input)) onDone();
  }

  return (
    <FormDialog
      title="Confirm it’s you"
      about="You signed in a while ago. Enter your password again to continue."
      problems={problems}
      action="Continue"
      busyAction="Checking…"
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <CredentialFields fields={problems.fields} withCode={secondFactor} />
    </FormDialog>
  );
}
