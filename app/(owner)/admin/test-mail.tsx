"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import type { MailTest } from "@/lib/admin/test-mail";
import { t } from "@/lib/texts/translate";

/** Sends an email to the reader, and shows what the mail server said. */
export function TestMail() {
  const { perform, busy, problems } = useAction("admin.mail.send_test");
  const [result, setResult] = useState<MailTest | null>(null);

  async function send() {
    setResult(null);
    setResult(await perform({}));
  }

  return (
    <div className="mt-2 space-y-2">
      <Button look="quiet" size="small" disabled={busy} onClick={send}>
        {busy ? t("Sending…") : t("Send a test email")}
      </Button>
      {problems.message && <Notice>{problems.message}</Notice>}
      {result && <MailTestResult {...result} />}
    </div>
  );
}

function MailTestResult({ to, outbox, error }: MailTest) {
  if (error !== null) {
    return (
      <Notice>
        {rich("It was not sent. The mail server or the connection said: <answer>{error}</answer>", {
          error,
          answer: (text) => <span className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{text}</span>,
        })}
      </Notice>
    );
  }
  if (outbox !== null) {
    return (
      <Notice tone="warn">
        {rich("It was written to <file>{outbox}</file>, because no mail server is set.", {
          outbox,
          file: (text) => <span className="[overflow-wrap:anywhere]">{text}</span>,
        })}
      </Notice>
    );
  }
  return (
    <Notice tone="good">
      {t("The mail server took it for {to}. If it does not arrive, look into the spam folder.", { to })}
    </Notice>
  );
}
