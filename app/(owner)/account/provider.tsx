"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useAction } from "@/components/actions/actions";
import { Notice } from "@/components/ui/notice";
import { RowButton } from "@/components/ui/row-button";
import { Section } from "@/components/ui/section";
import { t } from "@/lib/texts/translate";

interface Props {
  provider: string;
  email: string;
  /** The identity that is linked; null without one. */
  identity: { email: string | null; seen: ReactNode } | null;
}

/** Shows the identity at the provider that signs the person in. */
export function Provider({ provider, email, identity }: Props) {
  const { perform, busy, problems } = useAction("provider.unlink");
  const router = useRouter();

  async function unlink() {
    if (await perform({})) router.refresh();
  }

  return (
    <Section title={t("Sign in with {provider}", { provider })}>
      {problems.message && (
        <div className="mb-4">
          <Notice>{problems.message}</Notice>
        </div>
      )}
      {identity ? (
        <div className="flex items-center justify-between gap-4">
          <div className="min-w-0">
            <p className="text-sm font-medium [overflow-wrap:anywhere]">
              {identity.email ?? t("An identity without address")}
            </p>
            <p className="text-sm text-muted">{identity.seen}</p>
          </div>
          <RowButton action={t("Unlink")} name={identity.email ?? t("the identity")} disabled={busy} onClick={unlink} />
        </div>
      ) : (
        <p className="text-sm break-words text-muted">
          {t(
            "Not linked. Sign out, then continue with {provider} as {email}: that links your identity there to this account.",
            { provider, email },
          )}
        </p>
      )}
    </Section>
  );
}
