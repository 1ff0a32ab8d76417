"use client";

import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { t } from "@/lib/texts/translate";

export function ConfirmChange({ token }: { token: string }) {
  const { perform, busy, problems } = useAction("email.confirm_change");

  async function confirm() {
    // The link is used up, so it is also removed from the history.
    if (await perform({ token })) window.location.replace("/account");
  }

  return (
    <div className="card space-y-4 p-5">
      {problems.message && <Notice>{problems.message}</Notice>}
      <Button onClick={confirm} disabled={busy} className="w-full">
        {busy ? t("Changing…") : t("Use this address")}
      </Button>
    </div>
  );
}
