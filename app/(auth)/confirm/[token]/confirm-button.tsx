"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { t } from "@/lib/texts/translate";

export function ConfirmButton({ token }: { token: string }) {
  const { perform, busy, problems } = useAction("email.confirm");
  const router = useRouter();

  async function confirm() {
    if (await perform({ token })) router.refresh();
  }

  return (
    <div className="card space-y-4 p-5">
      {problems.message && <Notice>{problems.message}</Notice>}
      <Button onClick={confirm} disabled={busy} className="w-full">
        {busy ? t("Confirming…") : t("Confirm address")}
      </Button>
    </div>
  );
}
