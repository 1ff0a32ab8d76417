"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import type { ActionId } from "@/components/actions/typed";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Restoration } from "@/lib/agents/restoration";

/** Saves again what the agent deleted, with one press. */
export function Restore({ operation, input }: Restoration) {
  const { perform, busy, problems } = useAction(operation as ActionId);
  const [restored, setRestored] = useState(false);
  if (restored) return <span role="status"> Restored.</span>;
  return (
    <>
      {" "}
      <Button
        look="bare"
        size="small"
        disabled={busy}
        onClick={async () => setRestored(!!(await perform(input as never)))}
      >
        Restore
      </Button>
      {problems.message && <Notice>{problems.message}</Notice>}
    </>
  );
}
