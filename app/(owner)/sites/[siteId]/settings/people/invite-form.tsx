"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { useSendsEmail } from "@/components/ui/mail-server";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { Role } from "@/lib/contract/access";
import { t } from "@/lib/texts/translate";
import { InvitationLink } from "./invitation-link";
import { operationsOf, type Place, placeId } from "./place";
import { roleChoices } from "./roles";

export function InviteForm({ place }: { place: Place }) {
  const { perform, busy, problems } = useAction(operationsOf(place).invite, { fields: ["email"] });
  const [sent, setSent] = useState<{ email: string; link: string | null }>();
  const sendsEmail = useSendsEmail();
  const router = useRouter();

  async function submit(formData: FormData, form: HTMLFormElement) {
    const email = String(formData.get("email"));
    setSent(undefined);
    const invitation = await perform({ ...placeId(place), email, role: formData.get("role") as Role });
    if (!invitation) return;
    setSent(invitation);
    form.reset();
    router.refresh();
  }

  return (
    <Section
      title={t("Invite someone")}
      about={
        sendsEmail
          ? t("They get an email with a link that works for seven days.")
          : t("You get a link for them that works for seven days, because this service has no mail server.")
      }
    >
      <Form problem={problems.message} onSubmit={submit}>
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 basis-full sm:flex-1 sm:basis-56">
            <Field
              label={t("Email")}
              name="email"
              type="email"
              autoComplete="off"
              placeholder={t("ben@example.com")}
              required
              problem={problems.fields.email}
            />
          </div>
          <div className="min-w-0 flex-1 sm:w-36 sm:flex-none">
            <Select label={t("Role")} name="role" choices={roleChoices()} defaultValue="viewer" />
          </div>
          <Button type="submit" disabled={busy} className="mt-[1.625rem]">
            {busy ? t("Inviting…") : t("Invite")}
          </Button>
        </div>
      </Form>
      {sent && (
        <div className="mt-4">
          <InvitationLink {...sent} />
        </div>
      )}
    </Section>
  );
}
