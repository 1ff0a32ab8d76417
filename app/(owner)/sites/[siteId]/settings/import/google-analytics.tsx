"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  state: "not_configured" | "not_connected" | "connected";
  properties: { property: string; name: string; account: string }[];
  /** The last day that can be fetched. */
  lastDay: string;
  /** Whether an import is under way, which a new one would not wait for. */
  isBusy: boolean;
}

/** Fetches the history of Google Analytics by a connected Google account. */
export function GoogleAnalytics({ siteId, state, properties, lastDay, isBusy }: Props) {
  return (
    <Section
      title={t("Fetch from Google Analytics")}
      about={t("Its numbers come by Google's API, day by day, and you see them before anything is stored.")}
      badge={state === "connected" && <Badge tone="good">{t("Connected")}</Badge>}
    >
      {state === "not_configured" && (
        <p className="text-sm text-muted">
          {t("This service is not set up for Google: its operator has not registered it there. Import files instead.")}
        </p>
      )}
      {state === "not_connected" && <ConnectGoogleAnalytics siteId={siteId} />}
      {state === "connected" && (
        <div className="space-y-4">
          {properties.length === 0 ? (
            <p className="text-sm text-muted">
              {t("This account may read no property of Google Analytics. Disconnect it, and connect another one.")}
            </p>
          ) : (
            <Fetch siteId={siteId} properties={properties} lastDay={lastDay} isBusy={isBusy} />
          )}
          <DisconnectGoogleAnalytics siteId={siteId} />
        </div>
      )}
    </Section>
  );
}

/** Sends the browser to Google, where its owner consents. */
function ConnectGoogleAnalytics({ siteId }: { siteId: number }) {
  const { perform, busy, problems } = useAction("imports.connect");
  const [isLeaving, setLeaving] = useState(false);

  async function leave() {
    const answer = await perform({ site_id: siteId });
    if (!answer) return;
    setLeaving(true);
    window.location.assign(answer.url);
  }

  return (
    <div className="space-y-3">
      <p className="text-sm text-muted">
        {t(
          "Google asks whether this service may read Google Analytics. It only reads, and the consent ends after two weeks.",
        )}
      </p>
      <Button disabled={busy || isLeaving} onClick={leave}>
        {busy || isLeaving ? t("One moment…") : t("Connect a Google account")}
      </Button>
      {problems.message && (
        <p role="alert" className="text-sm text-bad">
          {problems.message}
        </p>
      )}
    </div>
  );
}

function Fetch({ siteId, properties, lastDay, isBusy }: Omit<Props, "state">) {
  const { perform, busy, problems } = useAction("sites.imports.fetch", { fields: ["property", "from", "to"] });
  const router = useRouter();

  async function submit(formData: FormData) {
    const text = (name: string) => String(formData.get(name));
    const asked = { property: text("property"), from: text("from"), to: text("to") };
    if (await perform({ site_id: siteId, ...asked })) router.refresh();
  }

  const { fields } = problems;
  return (
    <Form problem={problems.message ?? fields.property} onSubmit={submit}>
      <div className="grid items-start gap-4 sm:grid-cols-[1fr_10rem_10rem]">
        <Select
          label={t("Property")}
          name="property"
          choices={properties.map(({ property, name, account }) => ({ value: property, label: name, group: account }))}
        />
        <Field label={t("First day")} name="from" type="date" max={lastDay} required problem={fields.from} />
        <Field
          label={t("Last day")}
          name="to"
          type="date"
          max={lastDay}
          defaultValue={lastDay}
          required
          problem={fields.to}
        />
      </div>
      <Button type="submit" disabled={busy || isBusy}>
        {busy ? t("Starting…") : t("Fetch")}
      </Button>
    </Form>
  );
}

function DisconnectGoogleAnalytics({ siteId }: { siteId: number }) {
  const { perform, busy, problems } = useAction("sites.imports.disconnect");
  const router = useRouter();
  return (
    <p className="flex flex-wrap items-center gap-3 border-t border-line pt-4 text-sm text-muted">
      <span className="min-w-0 flex-1 basis-64">
        {t("The account stays connected for two weeks, so that a fetch can go on. What was imported stays.")}
      </span>
      <Button
        look="quiet"
        size="small"
        disabled={busy}
        onClick={async () => {
          if (await perform({ site_id: siteId })) router.refresh();
        }}
      >
        {t("Disconnect")}
      </Button>
      {problems.message && (
        <span role="alert" className="text-bad">
          {problems.message}
        </span>
      )}
    </p>
  );
}
