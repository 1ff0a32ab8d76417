"use client";

import { useState } from "react";
import { CredentialFields } from "@/components/actions/credential-fields";
import { FormDialog } from "@/components/ui/form-dialog";
import { type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { Refusal } from "@/lib/platform/errors";

interface Props {
  secondFactor: boolean;
  /** Sends the credentials to the server. @throws Refusal if they are wrong */
  prove(typed: { password: string; code?: string }): Promise<unknown>;
  onDone(): void;
  onCancel(): void;
}

/** Dialog that asks a signed-in person for their password (and two-factor code) again. */
export default function Reauthenticate({ secondFactor, prove, onDone, onCancel }: Props) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);

  async function submit(typed: FormData) {
    const code = typed.get("code");
    setBusy(true);
    try {
      await prove({ password: String(typed.get("password")), ...(code === null ? {} : { code: String(code) }) });
      onDone();
    } catch (error) {
      setProblems(
        error instanceof Refusal
          ? problemsOf(error, { fields: ["password", ...(secondFactor ? ["code"] : [])] })
          : { fields: {}, message: "The server could not be reached. Try again." },
      );
      setBusy(false);
    }
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
