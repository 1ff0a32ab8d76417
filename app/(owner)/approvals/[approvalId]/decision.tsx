"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useDeed } from "@/components/deeds/deeds";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

/** Deny comes first, and neither weighs more. The server asks for the password where the risk wants it. */
export function Decision({ id }: { id: string }) {
  const { perform, busy, problems } = useDeed("approvals.decide");
  const [chosen, setChosen] = useState<"approved" | "denied">();
  const router = useRouter();

  async function decide(decision: "approved" | "denied") {
    setChosen(decision);
    await perform({ id, decision });
    // Whether it went as wished or someone was faster, the page then says how it stands.
    router.refresh();
  }

  return (
    <section className="space-y-3" aria-label="Your decision">
      {problems.message && <Notice>{problems.message}</Notice>}
      <div className="grid grid-cols-2 gap-3">
        <Button
          look="quiet"
          size="large"
          className="border-line-strong"
          disabled={busy}
          onClick={() => decide("denied")}
        >
          {busy && chosen === "denied" ? "Denying…" : "Deny"}
        </Button>
        <Button
          look="quiet"
          size="large"
          className="border-line-strong"
          disabled={busy}
          onClick={() => decide("approved")}
        >
          {busy && chosen === "approved" ? "Approving…" : "Approve"}
        </Button>
      </div>
      <p className="text-center text-sm text-muted">Approving may ask for your password once more.</p>
    </section>
  );
}
