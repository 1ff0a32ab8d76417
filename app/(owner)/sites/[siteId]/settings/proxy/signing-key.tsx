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

const ABOUT = "With it your proxies sign what they forward. It is shown once, when it is made.";

export function SigningKey({ now, hasKey, previousEnds, mayChange, onChanged }: Props) {
  const { perform, busy, problems } = useAction("sites.proxy.update");
  const [asking, setAsking] = useState(false);

  async function make() {
    const answer = await perform({ ...now, rotate_signing_key: true });
    if (!answer) return;
    setAsking(false);
    onChanged(answer);
  }

  return (
    <Section
      title="Signing key"
      about={ABOUT}
      badge={<Badge tone={hasKey ? "good" : "plain"}>{hasKey ? "Made" : "None"}</Badge>}
    >
      {(previousEnds || !mayChange) && (
        <p className="text-sm text-muted not-last:mb-4">
          {previousEnds ? <>The key before it ends {previousEnds}.</> : "Only owners make keys."}
        </p>
      )}
      {mayChange && (
        <Button look="quiet" onClick={() => setAsking(true)}>
          {hasKey ? "Make a new key" : "Make a key"}
        </Button>
      )}
      {asking && (
        <Confirm
          title={hasKey ? "Make a new signing key?" : "Make a signing key?"}
          action="Make it"
          busy={busy}
          problem={problems.message ?? Object.values(problems.fields)[0]}
          onYes={make}
          onNo={() => setAsking(false)}
        >
          <p>
            {hasKey
              ? "The present key goes on counting for 24 hours: give your proxies the new one before that."
              : "You see it this once. Nothing has to be signed until you ask for it above."}
            {previousEnds && " The key before the present one ends at once."}
          </p>
        </Confirm>
      )}
    </Section>
  );
}
