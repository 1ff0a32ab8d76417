"use client";

import { type ComponentProps, type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import type { Proofs } from "@/components/actions/send";
import { Button } from "@/components/ui/button";
import { CodeField } from "@/components/ui/code-field";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { rich } from "@/components/ui/rich";
import { answerWithPasskey, NO_PASSKEY } from "@/lib/auth/passkey-browser";
import { msg, t } from "@/lib/texts/translate";

interface Props extends Pick<ComponentProps<typeof FormDialog>, "title" | "about" | "action" | "look"> {
  /** What takes the proof. */
  operation: "session.reauthenticate" | "totp.stop";
  proofs: Proofs;
  onDone(): void;
  onCancel(): void;
}

/** Dialog for a proof of a signed-in person: password or provider, with a code if set up; or a passkey, which is both. */
export function ProofDialog({ operation, proofs, onDone, onCancel, ...dialog }: Props) {
  const { perform, busy, problems } = useAction(operation, { fields: ["password", "code"] });
  const asking = useAction("passkeys.ask_owner");
  const [unused, setUnused] = useState(false);
  const byTyping = proofs.password || proofs.provider !== null;

  async function submit(typed: FormData) {
    setUnused(false);
    const [password, code] = ["password", "code"].map((name) => String(typed.get(name) ?? ""));
    if (await perform({ ...(password && { password }), ...(code && { code }) })) onDone();
  }

  async function withPasskey() {
    setUnused(false);
    const options = await asking.perform({});
    const passkey = options && (await answerWithPasskey(options));
    setUnused(options !== null && !passkey);
    if (passkey && (await perform({ passkey }))) onDone();
  }

  const message = unused ? t(NO_PASSKEY) : (problems.message ?? asking.problems.message);
  const passkeyButton = (look: "quiet" | "primary") => (
    <Button look={look} disabled={busy || asking.busy} onClick={withPasskey} className="w-full">
      {t("Use a passkey")}
    </Button>
  );
  return (
    <FormDialog
      {...dialog}
      busyAction={t("Checking…")}
      problems={{ fields: problems.fields, ...(message && { message }) }}
      busy={busy}
      onSubmit={byTyping ? submit : withPasskey}
      onCancel={onCancel}
    >
      {proofs.passkey && byTyping && passkeyButton("quiet")}
      {proofs.password && (
        <Field
          label={t("Your password")}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          problem={problems.fields.password}
        />
      )}
      {proofs.provider !== null && (
        <p className="text-sm">
          {rich(
            proofs.password
              ? msg("Without the password: <link>Confirm with {provider} in a new tab</link>, then continue here.")
              : msg("<link>Confirm with {provider} in a new tab</link>, then continue here."),
            { provider: proofs.provider, link: toProvider },
          )}
        </p>
      )}
      {byTyping && proofs.code !== null && <CodeField kind={proofs.code} problem={problems.fields.code} />}
      {!byTyping && <p className="text-sm text-muted">{t("Your browser asks for your passkey.")}</p>}
    </FormDialog>
  );
}

const toProvider = (text: ReactNode) => (
  <a href="/confirm-identity" target="_blank" rel="noopener" className="font-medium text-accent underline">
    {text}
  </a>
);
