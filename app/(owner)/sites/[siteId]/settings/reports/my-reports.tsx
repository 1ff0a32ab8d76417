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
import { CADENCES, type Cadence } from "./cadences";
import { Preview } from "./preview";
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
    const on = Object.fromEntries(CADENCES.map(({ value }) => [value, form.has(value)]));
    const answer = await perform({ site_id: siteId, ...on, ...scheduleIn(form) });
    if (!answer) return;
    setSaved(true);
    router.refresh();
  }

  return (
    <Section
      title="Your email reports"
      about={`Sent to ${email}: the numbers, what changed, and the top pages, sources and countries.`}
    >
      <div className="space-y-5">
        <UnsentNotice what="Reports are" />
        <Form problem={problems.message} onSubmit={submit} className="space-y-4">
          <div className="-mx-4">
            {CADENCES.map(({ value, label, about }) => (
              <Checkbox key={value} name={value} label={label} hint={about} defaultChecked={reports[value]} />
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
              {busy ? "Saving…" : "Save"}
            </Button>
            <span role="status" className="text-sm text-muted">
              {saved && "Saved."}
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
    if (answer) setSent(`Sent to ${answer.sent_to}.`);
  }

  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
      <Select
        quiet
        label="Report"
        choices={CADENCES}
        value={cadence}
        onChange={(event) => setCadence(event.target.value as Cadence)}
        className="w-28"
      />
      <Button look="quiet" size="small" onClick={() => setOpen(true)}>
        Preview
      </Button>
      <Button look="quiet" size="small" disabled={busy} onClick={send}>
        {busy ? "Sending…" : "Send now"}
      </Button>
      <span role="status" className="text-sm text-muted">
        {problems.message ?? sent}
      </span>
      {isOpen && <Preview siteId={siteId} cadence={cadence} onClose={() => setOpen(false)} />}
    </div>
  );
}
