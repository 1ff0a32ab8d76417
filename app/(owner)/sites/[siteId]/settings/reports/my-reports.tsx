"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Form } from "@/components/ui/form";
import { UnsentNotice } from "@/components/ui/mail-server";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { Answer } from "@/lib/operations/index";
import { t } from "@/lib/texts/translate";
import { CADENCE_CHOICES, type Cadence } from "./cadences";
import { translated } from "./choices";
import { ReportPreview } from "./preview";
import { ScheduleFields, scheduleIn } from "./schedule-fields";

interface Props {
  siteId: number;
  siteZone: string;
  zones: string[];
  reports: Answer<"sites.reports.get">;
  email: string;
}

/** The reader's own reports: which and when, with a preview and one at once. */
export function MyReports({ siteId, siteZone, zones, reports, email }: Props) {
  const { perform, busy, problems } = useAction("sites.reports.update", { fields: ["timezone"] });
  const [saved, setSaved] = useState(false);
  const router = useRouter();

  async function submit(form: FormData) {
    setSaved(false);
    const on = Object.fromEntries(CADENCE_CHOICES.map(({ value }) => [value, form.has(value)]));
    const answer = await perform({ site_id: siteId, ...on, ...scheduleIn(form) });
    if (!answer) return;
    setSaved(true);
    router.refresh();
  }

  return (
    <Section
      title={t("Your email reports")}
      about={t("Sent to {email}: the numbers, what changed, and the top pages, sources and countries.", { email })}
    >
      <div className="space-y-5">
        <UnsentNotice what={t("Reports are")} />
        <Form problem={problems.message} onSubmit={submit} className="space-y-4">
          <div className="-mx-4">
            {CADENCE_CHOICES.map(({ value, label, about }) => (
              <Checkbox key={value} name={value} label={t(label)} hint={t(about)} defaultChecked={reports[value]} />
            ))}
          </div>
          <ScheduleFields
            schedule={reports.schedule}
            siteZone={siteZone}
            zones={zones}
            problem={problems.fields.timezone}
          />
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" size="small" disabled={busy}>
              {busy ? t("Saving…") : t("Save")}
            </Button>
            <span role="status" className="text-sm text-muted">
              {saved && t("Saved.")}
            </span>
          </div>
        </Form>
        <LookAtOne siteId={siteId} />
      </div>
    </Section>
  );
}

/** A preview of a report, and one that is sent at once. */
function LookAtOne({ siteId }: { siteId: number }) {
  const [cadence, setCadence] = useState<Cadence>("weekly");
  const { perform, busy, problems } = useAction("sites.reports.send_now");
  const [sent, setSent] = useState<string>();
  const [isOpen, setOpen] = useState(false);

  async function send() {
    setSent(undefined);
    const answer = await perform({ site_id: siteId, cadence });
    if (answer) setSent(t("Sent to {email}.", { email: answer.sent_to }));
  }

  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
      <Select
        quiet
        label={t("Report")}
        choices={translated(CADENCE_CHOICES)}
        value={cadence}
        onChange={(event) => setCadence(event.target.value as Cadence)}
        className="w-28"
      />
      <Button look="quiet" size="small" onClick={() => setOpen(true)}>
        {t("Preview")}
      </Button>
      <Button look="quiet" size="small" disabled={busy} onClick={send}>
        {busy ? t("Sending…") : t("Send now")}
      </Button>
      <span role="status" className="text-sm text-muted">
        {problems.message ?? sent}
      </span>
      {isOpen && <ReportPreview siteId={siteId} cadence={cadence} onClose={() => setOpen(false)} />}
    </div>
  );
}
