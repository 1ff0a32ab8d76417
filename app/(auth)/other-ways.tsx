"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { goToProvider, signInWithPasskey } from "@/lib/auth/browser";
import { answerWithPasskey, NO_PASSKEY } from "@/lib/auth/passkey-browser";
import { t } from "@/lib/texts/translate";

interface Props {
  /** The name of the provider; null without one. */
  provider: string | null;
  /** Whether to offer passkeys, which only existing accounts have. */
  passkeys?: boolean;
  /** Whether they stand below a form. */
  below: boolean;
  /** The page to open afterwards. */
  next: string;
}

/** Buttons of the ways to sign in without a password. */
export function OtherWays({ provider, passkeys = false, below, next }: Props) {
  const { perform, problems } = useAction("passkeys.ask");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  /** Stays busy while the browser leaves. @param work returns the message of what failed; empty if it is shown already */
  async function leaving(work: () => Promise<string | undefined>) {
    setBusy(true);
    setProblem(undefined);
    const failure = await work();
    if (failure === undefined) return;
    setProblem(failure);
    setBusy(false);
  }

  async function withPasskey() {
    const options = await perform({});
    if (!options) return "";
    const answer = await answerWithPasskey(options);
    if (!answer) return t(NO_PASSKEY);
    const result = await signInWithPasskey(answer);
    if (!result.ok) return result.message;
    window.location.assign(next);
  }

  if (provider === null && !passkeys) return null;
  return (
    <div className="space-y-3">
      {below && (
        <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {t("or")}
        </p>
      )}
      {problem && <Notice>{problem}</Notice>}
      {problems.message && <Notice>{problems.message}</Notice>}
      {provider !== null && (
        <Button
          look={below ? "quiet" : "primary"}
          disabled={busy}
          onClick={() => leaving(() => goToProvider({ purpose: "sign-in", next }))}
          className="w-full min-w-0"
        >
          <span className="truncate">{t("Continue with {provider}", { provider })}</span>
        </Button>
      )}
      {passkeys && (
        <Button look="quiet" disabled={busy} onClick={() => leaving(withPasskey)} className="w-full">
          {t("Use a passkey")}
        </Button>
      )}
    </div>
  );
}
