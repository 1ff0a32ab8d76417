"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { AgentName } from "@/components/agents/agent-name";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";

/** Takes everything from an agent, at once and for good. */
export function Disconnect({ clientId, name }: { clientId: string; name: string }) {
  const { perform, busy, problems } = useAction("agents.revoke");
  const [asking, setAsking] = useState(false);
  const router = useRouter();

  async function disconnect() {
    if ((await perform({ client_id: clientId })) === null) return;
    setAsking(false);
    router.refresh();
  }

  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Disconnect
      </Button>
      {asking && (
        <Confirm
          title="Disconnect this agent?"
          action="Disconnect"
          busy={busy}
          problem={problems.message}
          onYes={disconnect}
          onNo={() => setAsking(false)}
        >
          <p>
            Everything that <AgentName name={name} /> holds ends at once: its next call is refused, and what it asked of
            you is withdrawn. What it has done stays done.
          </p>
          <p>This cannot be undone; it can only be connected anew.</p>
        </Confirm>
      )}
    </>
  );
}
