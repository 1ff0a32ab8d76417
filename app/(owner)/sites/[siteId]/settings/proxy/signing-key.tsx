import { type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Section } from "@/components/ui/section";
import type { ProxySettings } from "./proxies";

interface Props {
  now: ProxySettings;
  hasKey: boolean;
  previousEnds: ReactNode;
  mayChange: boolean;
  onChanged(answer: Record<string, unknown>): void;
}

const ABOUT = "Your proxies sign forwarded events with it. It is shown once, when it is created.";

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
      title="Signing key"
      about={ABOUT}
      badge={<Badge tone={hasKey ? "good" : "plain"}>{hasKey ? "Set" : "None"}</Badge>}
    >
      {(previousEnds || !mayChange) && (
        <p className="text-sm text-muted not-last:mb-4">
          {previousEnds ? <>The previous key expires {previousEnds}.</> : "Only owners can create keys."}
        </p>
      )}
      {mayChange && (
        <Button look="quiet" onClick={() => setConfirming(true)}>
          {hasKey ? "Rotate key" : "Create key"}
        </Button>
      )}
      {confirming && (
        <Confirm
          title={hasKey ? "Rotate the signing key?" : "Create a signing key?"}
          action={hasKey ? "Rotate" : "Create"}
          busy={busy}
          problem={problems.message}
          onYes={rotate}
          onNo={() => setConfirming(false)}
        >
          <p>
            {hasKey
              ? "The current key works for another 24 hours. Update your proxies within that time."
              : "The key is shown once. Signatures are optional until you require them above."}
            {previousEnds && " The previous key expires immediately."}
          </p>
        </Confirm>
      )}
    </Section>
  );
}
