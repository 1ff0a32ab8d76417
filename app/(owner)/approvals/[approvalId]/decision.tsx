"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Choice } from "@/components/agents/choice";
import { Notice } from "@/components/ui/notice";

/** The server asks for the password where the risk wants it. */
export function Decision({ id }: { id: string }) {
  const { perform, busy, problems } = useAction("approvals.decide");
  const router = useRouter();

  async function decide(decision: "approved" | "denied") {
    await perform({ id, decision });
    // Whether it went as wished or someone was faster, the page then says how it stands.
    router.refresh();
  }

  return (
    <section className="space-y-3" aria-label="Your decision">
      {problems.message && <Notice>{problems.message}</Notice>}
      <Choice yes="Approve" busy={busy} onNo={() => decide("denied")} onYes={() => decide("approved")} />
      <p className="text-center text-sm text-muted">Approving may ask for your password once more.</p>
    </section>
  );
}
