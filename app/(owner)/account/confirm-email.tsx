"use client";

import { useButtonAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";

/** For an account that was made before addresses were confirmed at sign-up. */
export function ConfirmEmail() {
  const { perform, busy } = useButtonAction("email.send_confirmation");
  const send = async () => void (await perform({}, send));

  return (
    <span className="mt-2 block space-y-2">
      <span className="block text-muted">
        Not confirmed. Until it is, you cannot invite people, connect agents, get reports by email or set up the second
        step.
      </span>
      <Button size="small" look="quiet" disabled={busy} onClick={send}>
        Send confirmation email
      </Button>
    </span>
  );
}
