"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { AgentName } from "@/components/agents/agent-name";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";

/** Revokes all access of an agent, immediately and permanently. */
export function Disconnect({ clientId, name }: { clientId: string; name: string }) {
  const { perform, busy, problems } = useAction("agents.revoke");
  const [confirming, setConfirming] = useState(false);
  const router = useRouter();

  async function disconnect() {
    if ((await perform({ client_id: clientId })) === null) return;
    setConfirming(false);
    router.refresh();
  }

  return (
    <>
      <Button look="danger" onClick={() => setConfirming(true)}>
        Disconnect
      </Button>
      {confirming && (
        <Confirm
          title="Disconnect this agent?"
          action="Disconnect"
          busy={busy}
          problem={problems.message}
          onYes={disconnect}
          onNo={() => setConfirming(false)}
        >
          <p>
            <AgentName name={name} /> loses all access immediately: its next call is refused, and its pending approval
            requests are withdrawn. Changes that it made stay.
          </p>
          <p>This cannot be undone. To use the agent again, connect it again.</p>
        </Confirm>
      )}
    </>
  );
}
