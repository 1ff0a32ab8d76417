"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { RowButton } from "@/components/ui/row-button";
import { Section } from "@/components/ui/section";
import { TextLink } from "@/components/ui/text-link";
import { t } from "@/lib/texts/translate";

interface Named {
  clientId: string;
  name: string;
}

interface Token extends Named {
  mayDo: string;
  sites: string;
  /** Created, expires and last used, in words. */
  times: ReactNode;
  /** Whether it expires within a week. */
  endsSoon: boolean;
}

interface Props {
  tokens: Token[];
  /** Tokens that have expired or were revoked, with how and when. */
  ended: (Named & { how: ReactNode })[];
}

/** The person's tokens, with a button to revoke each. */
export function Tokens({ tokens, ended }: Props) {
  const [revoking, setRevoking] = useState<Named>();
  const router = useRouter();

  return (
    <Section
      title={t("Personal tokens")}
      about={t(
        "For scripts and cron jobs: a token acts for you at the HTTP API until it expires, and asks for approval as agents do.",
      )}
      aside={
        <ButtonLink href="/account/tokens/new" look="quiet" size="small">
          {t("New token")}
        </ButtonLink>
      }
    >
      {tokens.length === 0 && <p className="text-sm text-muted">{t("No script has a token of yours.")}</p>}
      <ul className="divide-y divide-line not-empty:-my-2.5">
        {tokens.map((token) => (
          <li key={token.clientId} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-2.5">
            <div className="min-w-0 flex-1 basis-64 text-sm">
              <p className="flex flex-wrap items-center gap-x-2">
                <span className="min-w-0 font-medium break-words">
                  <TextLink href={`/agents/${token.clientId}`}>{token.name}</TextLink>
                </span>
                {token.endsSoon && <Badge tone="warn">{t("Expires soon")}</Badge>}
              </p>
              <p className="break-words text-muted">{token.times}</p>
              <p className="break-words text-muted">{t("On {sites}", { sites: token.sites })}</p>
              <p className="break-words text-muted">{token.mayDo}</p>
            </div>
            <RowButton action={t("Revoke")} name={token.name} onClick={() => setRevoking(token)} />
          </li>
        ))}
      </ul>
      {ended.length > 0 && (
        <div className="mt-4 border-t border-line pt-3 text-sm">
          <h3 className="font-medium">{t("Ended in the last 90 days")}</h3>
          <ul className="mt-1 space-y-0.5 text-muted">
            {ended.map(({ clientId, name, how }) => (
              <li key={clientId} className="break-words">
                <TextLink href={`/agents/${clientId}`}>{name}</TextLink>, {how}
              </li>
            ))}
          </ul>
        </div>
      )}
      {revoking && (
        <ConfirmAction
          operation="agents.revoke"
          input={{ client_id: revoking.clientId }}
          title={t("Revoke {name}?", { name: revoking.name })}
          action={t("Revoke")}
          onDone={() => {
            setRevoking(undefined);
            router.refresh();
          }}
          onCancel={() => setRevoking(undefined)}
        >
          <p>{t("The next call of the script that uses it is refused. This cannot be undone; its log stays.")}</p>
        </ConfirmAction>
      )}
    </Section>
  );
}
