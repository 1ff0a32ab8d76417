"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { FreshKey } from "@/components/ui/fresh-key";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { TextLink } from "@/components/ui/text-link";
import { outcomeInWords } from "@/lib/contract/outcome-words";
import { msg, t } from "@/lib/texts/translate";
import { Deliveries, type Delivery } from "./deliveries";

interface Props {
  siteId: number;
  /** Null without a webhook. */
  url: string | null;
  /** Formatted expiry of the previous secret; null if it has expired. */
  previousEnds: ReactNode;
  deliveries: Delivery[];
}

/** Changes to an existing webhook that need confirmation. */
const CHANGES = {
  rotate: {
    button: msg("Rotate secret"),
    operation: "sites.webhooks.rotate",
    title: msg("Rotate the secret?"),
    action: msg("Rotate"),
    text: msg("Messages are signed with both secrets for a day. Update your receiver within that time."),
  },
  remove: {
    button: msg("Remove"),
    operation: "sites.webhooks.delete",
    title: msg("Remove the webhook?"),
    action: msg("Remove"),
    text: msg("No more messages are sent, and pending messages are discarded."),
  },
} as const;
type Change = keyof typeof CHANGES;

export function Webhook({ siteId, url, previousEnds, deliveries }: Props) {
  const [fresh, setFresh] = useState<string>();
  const [confirming, setConfirming] = useState<Change>();
  const router = useRouter();

  function changed(answer: Record<string, unknown>) {
    if (typeof answer.secret === "string") setFresh(answer.secret);
    setConfirming(undefined);
    router.refresh();
  }

  return (
    <>
      {fresh && <FreshKey key={fresh} title={t("Webhook secret")} secret={fresh} onDone={() => setFresh(undefined)} />}
      <Section
        title={t("Webhook")}
        about={rich(
          "Incidents are posted to this URL as JSON when they open and when they resolve, signed per Standard Webhooks. Failed deliveries are retried for a day. <link>Format and signature</link>",
          { link: (text) => <TextLink href="/docs/webhooks">{text}</TextLink> },
        )}
        badge={
          <Badge tone={url ? "good" : "plain"}>
            {t("{state, select, set {Set} other {None}}", { state: url ? "set" : "none" })}
          </Badge>
        }
      >
        <div className="space-y-4">
          <Address siteId={siteId} url={url} onChanged={changed} />
          {previousEnds && (
            <p className="text-sm text-muted">{rich("The previous secret expires {when}.", { when: previousEnds })}</p>
          )}
          {url && (
            <>
              <div className="flex flex-wrap gap-2">
                <TestWebhook siteId={siteId} />
                {(Object.keys(CHANGES) as Change[]).map((change) => (
                  <Button key={change} look="quiet" size="small" onClick={() => setConfirming(change)}>
                    {t(CHANGES[change].button)}
                  </Button>
                ))}
              </div>
              <Deliveries deliveries={deliveries} />
            </>
          )}
        </div>
      </Section>
      {confirming && (
        <ConfirmAction
          operation={CHANGES[confirming].operation}
          title={t(CHANGES[confirming].title)}
          action={t(CHANGES[confirming].action)}
          input={{ site_id: siteId }}
          onDone={changed}
          onCancel={() => setConfirming(undefined)}
        >
          <p>{t(CHANGES[confirming].text)}</p>
        </ConfirmAction>
      )}
    </>
  );
}

interface AddressProps {
  siteId: number;
  url: string | null;
  onChanged(answer: Record<string, unknown>): void;
}

function Address({ siteId, url, onChanged }: AddressProps) {
  const { perform, busy, problems } = useAction("sites.webhooks.set", { fields: ["url"] });

  async function submit(formData: FormData) {
    const answer = await perform({ site_id: siteId, url: String(formData.get("url")) });
    if (answer) onChanged(answer);
  }

  return (
    <Form problem={problems.message} onSubmit={submit} className="space-y-3">
      <Field
        label={t("Webhook URL")}
        name="url"
        type="url"
        defaultValue={url ?? ""}
        placeholder={t("https://alerts.example.com/footfall")}
        autoComplete="off"
        spellCheck={false}
        hint={t("A public https URL.")}
        problem={problems.fields.url}
      />
      <Button type="submit" size="small" disabled={busy}>
        {busy ? t("Saving…") : t("Save")}
      </Button>
    </Form>
  );
}

/** Sends a test message and shows the result. */
function TestWebhook({ siteId }: { siteId: number }) {
  const { perform, busy, problems } = useAction("sites.webhooks.send_test");
  const [outcome, setOutcome] = useState<string>();
  const router = useRouter();

  async function send() {
    const answer = await perform({ site_id: siteId });
    setOutcome(answer?.outcome ?? undefined);
    router.refresh();
  }

  return (
    <span className="flex flex-wrap items-center gap-2">
      <Button look="quiet" size="small" disabled={busy} onClick={send}>
        {busy ? t("Sending…") : t("Send a test")}
      </Button>
      <span role="status" className="text-sm text-muted">
        {problems.message ?? (outcome && outcomeInWords(outcome))}
      </span>
    </span>
  );
}
