"use client";

import Link from "next/link";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { AgentName } from "@/components/agents/agent-name";
import { CONSENT_FIELDS, Consent, type ConsentChoice } from "@/components/consent/consent";
import { Heading } from "@/components/ui/heading";
import { rich } from "@/components/ui/rich";
import type { ConsentRequest } from "@/lib/oauth/consent";
import { msg, t } from "@/lib/texts/translate";
import { CodeForm } from "./code-form";

type Step =
  | { name: "code" }
  | { name: "question"; question: ConsentRequest; found: Date }
  | { name: "done"; allowed: boolean; question: ConsentRequest };

const ALLOWED = msg("{agent} gets access within a few seconds. You can close this page.");
const KEPT = msg("{agent} got no new access; the access that it had before stays. You can close this page.");
const REFUSED = msg("{agent} got no access. You can close this page.");

/** Code, consent and result as steps of one page. None of them has its own URL. */
export function Device() {
  const [step, setStep] = useState<Step>({ name: "code" });
  if (step.name === "code") {
    return <CodeForm onFound={(question) => setStep({ name: "question", question, found: new Date() })} />;
  }
  if (step.name === "question") {
    const { question, found } = step;
    return (
      <OpenedCode
        question={question}
        now={found}
        onDecided={(allowed) => setStep({ name: "done", allowed, question })}
        onBack={() => setStep({ name: "code" })}
      />
    );
  }
  return <DeviceResult {...step} />;
}

interface OpenedProps {
  question: ConsentRequest;
  /** When the code was entered. */
  now: Date;
  onDecided(allowed: boolean): void;
  onBack(): void;
}

function OpenedCode({ question, now, onDecided, onBack }: OpenedProps) {
  const { perform, busy, problems } = useAction("device.decide", CONSENT_FIELDS);

  async function decide(choice: ConsentChoice) {
    if (await perform({ question: question.question, ...choice })) onDecided(choice.decision === "approve");
  }

  const gone = t("The code has expired. Let your agent request a new one.");
  return (
    <Consent question={question} now={now} busy={busy} problems={problems} onDecide={decide} gone={gone}>
      <button type="button" onClick={onBack} className="text-accent underline">
        {t("Enter another code")}
      </button>
    </Consent>
  );
}

function DeviceResult({ allowed, question: { client, connected } }: { allowed: boolean; question: ConsentRequest }) {
  const hasAccess = allowed || connected;
  return (
    <div className="card px-5 py-10 text-center" role="status">
      <Heading>{allowed ? t("Allowed. Go back to your agent.") : t("Denied.")}</Heading>
      <p className="mx-auto mt-2 max-w-sm text-muted">
        {rich(allowed ? ALLOWED : connected ? KEPT : REFUSED, { agent: <AgentName name={client.name} /> })}
      </p>
      <p className="mt-6 text-sm">
        <Link
          href={hasAccess ? `/agents/${client.client_id}` : "/agents"}
          prefetch={false}
          className="font-medium text-accent underline"
        >
          {hasAccess ? t("View or revoke its access") : t("Your agents")}
        </Link>
      </p>
    </div>
  );
}
