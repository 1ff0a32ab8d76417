"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { AgentName } from "@/components/agents/agent-name";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/texts/translate";

/** Revokes all access of an agent or a token, immediately and permanently. */
export function DisconnectAgent({ clientId, name, isToken }: { clientId: string; name: string; isToken: boolean }) {
  const { perform, busy, problems } = useAction("agents.revoke");
  const [confirming, setConfirming] = useState(false);
  const router = useRouter();
  const action = isToken ? t("Revoke") : t("Disconnect");

  async function disconnect() {
    if ((await perform({ client_id: clientId })) === null) return;
    setConfirming(false);
    router.refresh();
  }

  return (
    <>
      <Button look="danger" onClick={() => setConfirming(true)}>
        {action}
      </Button>
      {confirming && (
        <Confirm
          title={isToken ? t("Revoke this token?") : t("Disconnect this agent?")}
          action={action}
          busy={busy}
          problem={problems.message}
          onYes={disconnect}
          onCancel={() => setConfirming(false)}
        >
          <p>
            {rich(
              "{agent} loses all access immediately: its next call is refused, and its pending approval requests are withdrawn. Changes that it made stay.",
              { agent: <AgentName name={name} /> },
            )}
          </p>
          <p>
            {t("This cannot be undone.")}
            {!isToken && ` ${t("To use the agent again, connect it again.")}`}
          </p>
        </Confirm>
      )}
    </>
  );
}
