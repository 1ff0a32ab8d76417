import { type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { msg, t } from "@/lib/texts/translate";
import type { ProxySettings } from "./proxies";

interface Props {
  now: ProxySettings;
  hasKey: boolean;
  previousEnds: ReactNode;
  mayChange: boolean;
  onChanged(answer: Record<string, unknown>): void;
}

const ABOUT = msg("Your proxies sign forwarded events with it. It is shown once, when it is created.");

export function SigningKey({ now, hasKey, previousEnds, mayChange, onChanged }: Props) {
  const { perform, busy, problems } = useAction("sites.proxy.update");
  const [confirming, setConfirming] = useState(false);

  async function rotate() {
    const answer = await perform({ ...now, rotate_signing_key: true });
    if (!answer) return;
    setConfirming(false);
    onChanged(answer);
  }

  return (
    <Section
      title={t("Signing key")}
      about={t(ABOUT)}
      badge={
        <Badge tone={hasKey ? "good" : "plain"}>
          {t("{state, select, set {Set} other {None}}", { state: hasKey ? "set" : "none" })}
        </Badge>
      }
    >
      {(previousEnds || !mayChange) && (
        <p className="text-sm text-muted not-last:mb-4">
          {previousEnds
            ? rich("The previous key expires {when}.", { when: previousEnds })
            : t("Only owners can create keys.")}
        </p>
      )}
      {mayChange && (
        <Button look="quiet" onClick={() => setConfirming(true)}>
          {hasKey ? t("Rotate key") : t("Create key")}
        </Button>
      )}
      {confirming && (
        <Confirm
          title={hasKey ? t("Rotate the signing key?") : t("Create a signing key?")}
          action={hasKey ? t("Rotate") : t("Create")}
          busy={busy}
          problem={problems.message}
          onYes={rotate}
          onCancel={() => setConfirming(false)}
        >
          <p>
            {hasKey
              ? t("The current key works for another 24 hours. Update your proxies within that time.")
              : t("The key is shown once. Signatures are optional until you require them above.")}
            {previousEnds && ` ${t("The previous key expires immediately.")}`}
          </p>
        </Confirm>
      )}
    </Section>
  );
}
