"use client";

import Link from "next/link";
import { useState } from "react";
import { AgentName } from "@/components/agents/agent-name";
import { Heading } from "@/components/ui/heading";
import type { ConsentRequest } from "@/lib/oauth/consent";
import { CodeForm } from "./code-form";
import { Consent } from "./consent";

type Step =
  | { at: "code" }
  | { at: "question"; question: ConsentRequest; found: Date }
  | { at: "done"; allowed: boolean; question: ConsentRequest };

const ALLOWED = "learns of it within a few seconds.";
const KEPT = "was given nothing new; what it had before stays.";

/** Code, consent, result: three steps of one page, none of which has an address of its own. */
export function Device() {
  const [step, setStep] = useState<Step>({ at: "code" });
  if (step.at === "code") {
    return <CodeForm onFound={(question) => setStep({ at: "question", question, found: new Date() })} />;
  }
  if (step.at === "question") {
    const { question, found } = step;
    return (
      <Consent
        question={question}
        now={found}
        onDecided={(allowed) => setStep({ at: "done", allowed, question })}
        onBack={() => setStep({ at: "code" })}
      />
    );
  }
  return <Result {...step} />;
}

function Result({ allowed, question: { client, connected } }: { allowed: boolean; question: ConsentRequest }) {
  const has = allowed || connected;
  return (
    <div className="card px-5 py-10 text-center" role="status">
      <Heading>{allowed ? "Allowed. Go back to your agent." : "Denied."}</Heading>
      <p className="mx-auto mt-2 max-w-sm text-muted">
        <AgentName name={client.name} /> {allowed ? ALLOWED : connected ? KEPT : "was given nothing."} You can close
        this page.
      </p>
      <p className="mt-6 text-sm">
        <Link
          href={has ? `/agents/${client.client_id}` : "/agents"}
          prefetch={false}
          className="font-medium text-accent underline"
        >
          {has ? "What it may do, and how to take it back" : "Your agents"}
        </Link>
      </p>
    </div>
  );
}
