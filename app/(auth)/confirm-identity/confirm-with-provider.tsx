"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { goToProvider } from "@/lib/auth/browser";
import { t } from "@/lib/texts/translate";

export function ConfirmWithProvider({ provider }: { provider: string }) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function go() {
    setBusy(true);
    const failure = await goToProvider({ purpose: "prove", next: "/confirm-identity" });
    setProblem(failure);
    if (failure !== undefined) setBusy(false);
  }

  return (
    <>
      {problem && <Notice>{problem}</Notice>}
      <Button disabled={busy} onClick={go} className="w-full min-w-0">
        <span className="truncate">{t("Continue with {provider}", { provider })}</span>
      </Button>
    </>
  );
}
