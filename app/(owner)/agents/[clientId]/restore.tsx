"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import type { ActionId } from "@/components/actions/typed";
import { Notice } from "@/components/ui/notice";
import type { Restoration } from "@/lib/agents/restoration";
import { t } from "@/lib/texts/translate";

/** Saves again what the agent deleted, with one press. */
export function Restore({ operation, input }: Restoration) {
  const { perform, busy, problems } = useAction(operation as ActionId);
  const [restored, setRestored] = useState(false);
  if (restored) return <span role="status"> {t("Restored.")}</span>;

  async function restore() {
    if (await perform(input as never)) setRestored(true);
  }

  return (
    <>
      {" "}
      <button type="button" disabled={busy} onClick={restore} className="font-medium text-accent underline">
        {t("Restore")}
      </button>
      {problems.message && <Notice>{problems.message}</Notice>}
    </>
  );
}
