"use client";

import { useState } from "react";
import { goToProvider } from "@/lib/auth/browser";
import { t } from "@/lib/texts/translate";
import { EntryForm } from "../entry-form";
import { SetupTokenField } from "./setup-token-field";

interface Props {
  next: string;
  /** Whether the browser runs elsewhere than the server. */
  needsToken: boolean;
  provider: string;
}

/** Sign-up form for the operator of a new service that uses no passwords. */
export function FirstByProvider({ next, needsToken, provider }: Props) {
  const [problem, setProblem] = useState<string>();

  async function send(typed: (name: string) => string) {
    const failure = await goToProvider({ purpose: "sign-in", next, token: typed("token") });
    setProblem(failure);
    return failure === undefined;
  }

  return (
    <EntryForm
      action={t("Continue with {provider}", { provider })}
      busyAction={t("One moment…")}
      problem={problem}
      send={send}
    >
      {needsToken && <SetupTokenField />}
      <p className="text-sm text-muted">
        {t("The account that you choose there becomes the administrator of this service.")}
      </p>
    </EntryForm>
  );
}
