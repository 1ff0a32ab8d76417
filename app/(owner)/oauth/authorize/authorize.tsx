"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { CONSENT_FIELDS, Consent, type ConsentChoice } from "@/components/consent/consent";
import { Heading } from "@/components/ui/heading";
import { rich } from "@/components/ui/rich";
import type { ConsentRequest } from "@/lib/oauth/consent";
import { t } from "@/lib/texts/translate";

/** The consent of an authorization request. The decision takes the browser back to the assistant. */
export function Authorize({ question, now }: { question: ConsentRequest; now: Date }) {
  const { perform, busy, problems } = useAction("authorize.decide", CONSENT_FIELDS);
  const [sentTo, setSentTo] = useState<string>();

  async function decide(choice: ConsentChoice) {
    const decided = await perform({ request: question.question, ...choice });
    if (!decided) return;
    setSentTo(decided.redirect_to);
    window.location.assign(decided.redirect_to);
  }

  // A browser that opens an app for the answer stays here.
  if (sentTo) return <SentBack to={sentTo} />;
  const gone = t("The agent is not known here any more. Start again in the agent.");
  return (
    <Consent question={question} now={now} busy={busy} problems={problems} onDecide={decide} gone={gone}>
      {t("You will be taken back to the agent.")}
    </Consent>
  );
}

const SentBack = ({ to }: { to: string }) => (
  <div className="card px-5 py-10 text-center" role="status">
    <Heading>{t("Go back to your agent.")}</Heading>
    <p className="mx-auto mt-2 max-w-sm text-muted">
      {rich("If it does not open by itself, <link>open it</link>. Then you can close this page.", {
        link: (text) => (
          <a href={to} className="text-accent underline">
            {text}
          </a>
        ),
      })}
    </p>
  </div>
);
