"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { FreshKey } from "../fresh-key";
import { Deliveries, type Delivery } from "./deliveries";

interface Props {
  siteId: number;
  /** Null while there is none. */
  url: string | null;
  /** When the secret before the newest signs no more, in words; null when it does not. */
  previousEnds: ReactNode;
  deliveries: Delivery[];
}

const ABOUT = (
  <>
    Each incident is posted to this address as JSON when it begins and when it ends, signed as Standard Webhooks says,
    and tried again for a day until it is taken.{" "}
    <Link href="/docs/webhooks" prefetch={false} className="text-accent underline">
      How to read and check it
    </Link>
  </>
);

/** What can be done about a webhook that is there, each asked about first. */
const ENDINGS = {
  rotate: {
    operation: "sites.webhooks.rotate",
    button: "Make a new secret",
    title: "Make a new secret?",
    action: "Make it",
    text: "For a day messages are signed by both: give your receiver the new one before that.",
  },
  remove: {
    operation: "sites.webhooks.delete",
    button: "Remove",
    title: "Remove the webhook?",
    action: "Remove",
    text: "Nothing is posted any more, and what still waits is not sent.",
  },
} as const;
type Ending = keyof typeof ENDINGS;

export function Webhook({ siteId, url, previousEnds, deliveries }: Props) {
  const [fresh, setFresh] = useState<string>();
  const [asking, setAsking] = useState<Ending>();
  const router = useRouter();

  function changed(answer: Record<string, unknown>) {
    if (typeof answer.secret === "string") setFresh(answer.secret);
    setAsking(undefined);
    router.refresh();
  }

  return (
    <>
      {fresh && <FreshKey key={fresh} title="The webhook’s secret" secret={fresh} onDone={() => setFresh(undefined)} />}
      <Section
        title="Webhook"
        about={ABOUT}
        badge={<Badge tone={url ? "good" : "plain"}>{url ? "Set" : "None"}</Badge>}
      >
        <div className="space-y-4">
          <Address siteId={siteId} url={url} onChanged={changed} />
          {previousEnds && <p className="text-sm text-muted">The secret before this one ends {previousEnds}.</p>}
          {url && (
            <>
              <div className="flex flex-wrap gap-2">
                <Test siteId={siteId} />
                {(Object.keys(ENDINGS) as Ending[]).map((ending) => (
                  <Button key={ending} look="quiet" size="small" onClick={() => setAsking(ending)}>
                    {ENDINGS[ending].button}
                  </Button>
                ))}
              </div>
              <Deliveries deliveries={deliveries} />
            </>
          )}
        </div>
      </Section>
      {asking && (
        <QueryContext siteId={siteId} ending={asking} onDone={changed} onCancel={() => setAsking(undefined)} />
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
  const { perform, busy, problems } = useAction("sites.webhooks.set");

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const answer = await perform({ site_id: siteId, url: String(typed.get("url")) });
    if (answer) onChanged(answer);
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-3">
      {problems.message && <Notice>{problems.message}</Notice>}
      <Field
        label="Address"
        name="url"
        type="url"
        defaultValue={url ?? ""}
        placeholder="https://alerts.example.com/footfall"
        autoComplete="off"
        spellCheck={false}
        hint="An https address that anyone can reach."
        problem={problems.fields.url}
      />
      <Button type="submit" size="small" disabled={busy}>
        {busy ? "Saving…" : "Save"}
      </Button>
    </form>
  );
}

/** Posts a message that means nothing, and says what came of it. */
function Test({ siteId }: { siteId: number }) {
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
        {busy ? "Sending…" : "Send a test"}
      </Button>
      <span role="status" className="text-sm text-muted">
        {problems.message ?? outcome}
      </span>
    </span>
  );
}

interface AskingProps {
  siteId: number;
  ending: Ending;
  onDone(answer: Record<string, unknown>): void;
  onCancel(): void;
}

function QueryContext({ siteId, ending, onDone, onCancel }: AskingProps) {
  const { operation, title, action, text } = ENDINGS[ending];
  const { perform, busy, problems } = useAction(operation);

  async function yes() {
    const answer = await perform({ site_id: siteId });
    if (answer) onDone(answer);
  }

  return (
    <Confirm title={title} action={action} busy={busy} problem={problems.message} onYes={yes} onNo={onCancel}>
      <p>{text}</p>
    </Confirm>
  );
}
