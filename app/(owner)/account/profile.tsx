"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction, useButtonAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { useSendsEmail } from "@/components/ui/mail-server";
import { Notice } from "@/components/ui/notice";
import { t } from "@/lib/texts/translate";

interface Props {
  name: string | null;
  email: string;
  /** The address that waits for its confirmation; null if none does. */
  pending: string | null;
}

/** Changes the name and the address. */
export function Profile({ name, email, pending }: Props) {
  return (
    <div className="space-y-5">
      <OwnNameForm name={name} />
      <EmailForm email={email} pending={pending} />
    </div>
  );
}

function OwnNameForm({ name }: { name: string | null }) {
  const { perform, busy, problems } = useAction("account.rename", { fields: ["name"] });
  const router = useRouter();

  async function submit(formData: FormData) {
    if (await perform({ name: String(formData.get("name") ?? "") })) router.refresh();
  }

  return (
    <Form problem={problems.message} onSubmit={submit}>
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <Field
            label={t("Name")}
            name="name"
            key={name}
            defaultValue={name ?? ""}
            autoComplete="name"
            maxLength={100}
            optional
            hint={t("Members of your sites see it.")}
            problem={problems.fields.name}
          />
        </div>
        <Button type="submit" look="quiet" disabled={busy} className="sm:mt-[1.625rem]">
          {busy ? t("Saving…") : t("Save name")}
        </Button>
      </div>
    </Form>
  );
}

function EmailForm({ email, pending }: Omit<Props, "name">) {
  const { perform, busy, problems } = useAction("email.change", { fields: ["email"] });
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);

  async function submit(formData: FormData) {
    if (!(await perform({ email: String(formData.get("email") ?? "") }))) return;
    setOpen(false);
    router.refresh();
  }

  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <p className="min-w-0">
          <span className="block font-medium">{t("Email")}</span>
          <span className="[overflow-wrap:anywhere]">{email}</span>
        </p>
        {!isOpen && (
          <Button look="quiet" size="small" onClick={() => setOpen(true)}>
            {t("Change address")}
          </Button>
        )}
      </div>
      {pending && !isOpen && <PendingEmail email={pending} />}
      {isOpen && (
        <Form problem={problems.message} onSubmit={submit} className="space-y-3">
          <Field
            label={t("New email address")}
            name="email"
            type="email"
            autoComplete="email"
            required
            autoFocus
            hint={t("It gets a link. Until that is opened, your address stays as it is. The old address is told.")}
            problem={problems.fields.email}
          />
          <div className="flex gap-2">
            <Button type="submit" disabled={busy}>
              {busy ? t("Sending…") : t("Send the link")}
            </Button>
            <Button look="quiet" onClick={() => setOpen(false)}>
              {t("Cancel")}
            </Button>
          </div>
        </Form>
      )}
    </div>
  );
}

/** The address that has got a link. */
function PendingEmail({ email }: { email: string }) {
  const { perform, busy } = useButtonAction("email.cancel_change");
  const sendsEmail = useSendsEmail();
  const router = useRouter();

  async function cancel() {
    if (await perform({}, cancel)) router.refresh();
  }

  return (
    <Notice tone="warn" isPermanent>
      <span className="[overflow-wrap:anywhere]">
        {sendsEmail
          ? t("{email} has got a link. Open it within two days to use that address.", { email })
          : t(
              "The link for {email} lies in the folder outbox of DATA_DIR: this service has no mail server, so ask its operator.",
              { email },
            )}
      </span>{" "}
      <button type="button" disabled={busy} onClick={cancel} className="font-medium underline">
        {t("Withdraw it")}
      </button>
    </Notice>
  );
}
