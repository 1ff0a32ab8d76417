"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { RowButton } from "@/components/ui/row-button";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import type { Answer } from "@/lib/operations/index";
import { t } from "@/lib/texts/translate";
import { CADENCE_CHOICES } from "./cadences";
import { type Schedule, ScheduleFields, scheduleIn } from "./schedule-fields";

type Recipient = NonNullable<Answer<"sites.reports.get">["recipients"]>[number];

interface Props {
  siteId: number;
  siteZone: string;
  zones: string[];
  recipients: Recipient[];
}

const USUAL: Schedule = { weekday: 1, month_day: 1, hour: 7, timezone: null };

/** Addresses without an account that get reports and alerts. */
export function Recipients({ siteId, siteZone, zones, recipients }: Props) {
  const [editing, setEditing] = useState<Recipient | "new">();
  const [removing, setRemoving] = useState<Recipient>();
  const router = useRouter();

  function close() {
    setEditing(undefined);
    setRemoving(undefined);
    router.refresh();
  }

  return (
    <Section
      title={t("Other recipients")}
      about={t(
        "Any address, also of people without an account. Each confirms by a link in an email before it gets anything.",
      )}
    >
      <div className="space-y-4">
        <Rows empty={t("No other recipients.")}>
          {recipients.map((recipient) => (
            <li
              key={recipient.recipient_id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5"
            >
              <div className="min-w-0 flex-1 basis-48 text-sm">
                <p className="flex flex-wrap items-center gap-x-2 font-medium">
                  <span className="min-w-0 [overflow-wrap:anywhere]">{recipient.email}</span>
                  {!recipient.confirmed && <Badge tone="warn">{t("Not confirmed")}</Badge>}
                </p>
                <p className="text-muted">{summaryOf(recipient)}</p>
              </div>
              <div className="flex items-center gap-2">
                <RowButton
                  action={t("{state, select, confirmed {Change} other {Ask again}}", {
                    state: recipient.confirmed ? "confirmed" : "asked",
                  })}
                  name={recipient.email}
                  onClick={() => setEditing(recipient)}
                />
                <RowButton action={t("Remove")} name={recipient.email} onClick={() => setRemoving(recipient)} />
              </div>
            </li>
          ))}
        </Rows>
        <div className="pt-2">
          <Button look="quiet" size="small" onClick={() => setEditing("new")}>
            {t("Add a recipient")}
          </Button>
        </div>
      </div>
      {editing && (
        <RecipientDialog
          siteId={siteId}
          siteZone={siteZone}
          zones={zones}
          recipient={editing === "new" ? null : editing}
          onDone={close}
          onCancel={() => setEditing(undefined)}
        />
      )}
      {removing && (
        <ConfirmAction
          operation="sites.reports.recipients.remove"
          input={{ site_id: siteId, recipient_id: removing.recipient_id }}
          title={t("Remove {name}?", { name: removing.email })}
          action={t("Remove")}
          onDone={close}
          onCancel={() => setRemoving(undefined)}
        >
          <p>{t("It gets no more reports and alerts of this site. To add it again, it must confirm again.")}</p>
        </ConfirmAction>
      )}
    </Section>
  );
}

function summaryOf({ cadences, schedule }: Recipient): string {
  if (cadences.length === 0) return t("No reports; can get alerts.");
  const names = CADENCE_CHOICES.filter(({ value }) => cadences.includes(value)).map(({ label }) => t(label));
  const [reports, time, zone] = [
    names.join(", "),
    `${schedule.hour}`.padStart(2, "0").concat(":00"),
    schedule.timezone,
  ];
  return zone
    ? t("{reports}, at {time} in {zone}", { reports, time, zone })
    : t("{reports}, at {time}", { reports, time });
}

interface DialogProps extends Omit<Props, "recipients"> {
  recipient: Recipient | null;
  onDone(): void;
  onCancel(): void;
}

function RecipientDialog({ siteId, siteZone, zones, recipient, onDone, onCancel }: DialogProps) {
  const { perform, busy, problems } = useAction("sites.reports.recipients.add", { fields: ["email", "timezone"] });

  async function submit(form: FormData) {
    const email = recipient?.email ?? String(form.get("email"));
    const cadences = CADENCE_CHOICES.map(({ value }) => value).filter((value) => form.has(value));
    if (await perform({ site_id: siteId, email, cadences, ...scheduleIn(form) })) onDone();
  }

  return (
    <FormDialog
      title={recipient ? recipient.email : t("Add a recipient")}
      action={recipient?.confirmed ? t("Save") : t("Ask to confirm")}
      busyAction={t("Saving…")}
      busy={busy}
      problems={problems}
      onSubmit={submit}
      onCancel={onCancel}
    >
      {!recipient && (
        <Field
          label={t("Email")}
          name="email"
          type="email"
          autoComplete="off"
          placeholder={t("team@example.com")}
          hint={t("It gets an email with a link to confirm, at most three a day.")}
          problem={problems.fields.email}
        />
      )}
      <div className="-mx-4">
        {CADENCE_CHOICES.map(({ value, label }) => (
          <Checkbox
            key={value}
            name={value}
            label={t(label)}
            defaultChecked={recipient ? recipient.cadences.includes(value) : value === "weekly"}
          />
        ))}
      </div>
      <ScheduleFields
        schedule={recipient?.schedule ?? USUAL}
        siteZone={siteZone}
        zones={zones}
        problem={problems.fields.timezone}
      />
    </FormDialog>
  );
}
