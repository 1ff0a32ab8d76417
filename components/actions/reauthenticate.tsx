"use client";

import { ProofDialog } from "@/components/actions/proof-dialog";
import type { Proofs } from "@/components/actions/send";
import { t } from "@/lib/texts/translate";

interface Props {
  proofs: Proofs;
  onDone(): void;
  onCancel(): void;
}

/** Dialog that asks a signed-in person to prove again that it is them. */
export default function Reauthenticate(props: Props) {
  return (
    <ProofDialog
      {...props}
      operation="session.reauthenticate"
      title={t("Confirm it’s you")}
      about={t("You signed in a while ago. Confirm again that it is you to continue.")}
      action={t("Continue")}
    />
  );
}
