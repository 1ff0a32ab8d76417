"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { signOut } from "@/lib/auth/sign-out";
import { t } from "@/lib/texts/translate";

/** Shown when the reader is signed in with a different account than the invitation is for. */
export function SignOutFirst({ invited, signedIn }: { invited: string; signedIn: string }) {
  const [failed, setFailed] = useState(false);

  async function leave() {
    try {
      await signOut();
      window.location.reload();
    } catch {
      setFailed(true);
    }
  }

  return (
    <div className="card space-y-4 p-5">
      <Notice tone="warn">
        <span className="break-words">
          {t(
            "This invitation is for {invited}; you are signed in as {signedIn}. Sign out, then open it with that account.",
            { invited, signedIn },
          )}
        </span>
      </Notice>
      {failed && <Notice>{t("Signing out failed: you are still signed in. Try again.")}</Notice>}
      <Button onClick={leave} className="w-full">
        {t("Sign out")}
      </Button>
    </div>
  );
}
