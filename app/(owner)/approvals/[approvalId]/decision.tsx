"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Choice } from "@/components/agents/choice";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { TypedConfirmation } from "@/components/ui/typed-confirmation";
import { t } from "@/lib/texts/translate";

interface Props {
  id: string;
  /** What to type before approving; null where a press is enough. */
  typed: string | null;
}

/** Approving asks as much as the page where a person does the same. The server asks for the password if the risk needs it. */
export function Decision({ id, typed }: Props) {
  const { perform, busy, problems } = useAction("approvals.decide");
  const router = useRouter();

  async function decide(decision: "approved" | "denied") {
    await perform({ id, decision });
    // Shows the new state, also when someone else decided first.
    router.refresh();
  }

  return (
    <section className="space-y-3" aria-label={t("Your decision")}>
      {typed === null ? (
        <>
          {problems.message && <Notice>{problems.message}</Notice>}
          <Choice yes={t("Approve")} busy={busy} onNo={() => decide("denied")} onYes={() => decide("approved")} />
        </>
      ) : (
        <>
          <Button look="quiet" size="large" className="w-full" disabled={busy} onClick={() => decide("denied")}>
            {t("Deny")}
          </Button>
          <div className="card px-5 py-4">
            <TypedConfirmation
              name={typed}
              busy={busy}
              action={[t("Approve"), t("Approving…")]}
              problem={problems.message}
              onConfirm={() => decide("approved")}
            />
          </div>
        </>
      )}
      <p className="text-center text-sm text-muted">{t("You may have to enter your password to approve.")}</p>
    </section>
  );
}
