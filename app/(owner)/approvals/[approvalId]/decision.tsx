"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Choice } from "@/components/agents/choice";
import { Notice } from "@/components/ui/notice";

/** Buttons to approve or deny. The server asks for the password if the risk requires it. */
export function Decision({ id }: { id: string }) {
  const { perform, busy, problems } = useAction("approvals.decide");
  const router = useRouter();

  async function decide(decision: "approved" | "denied") {
    await perform({ id, decision });
    // Shows the new state, also when someone else decided first.
    router.refresh();
  }

  return (
    <section className="space-y-3" aria-label="Your decision">
      {problems.message && <Notice>{problems.message}</Notice>}
      <Choice yes="Approve" busy={busy} onNo={() => decide("denied")} onYes={() => decide("approved")} />
      <p className="text-center text-sm text-muted">You may have to enter your password to approve.</p>
    </section>
  );
}
