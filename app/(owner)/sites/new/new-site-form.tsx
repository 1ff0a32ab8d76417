"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Switch } from "@/components/ui/switch";
import { TimezoneField } from "@/components/ui/timezone-field";
import { SITE_SETTINGS } from "@/lib/contract/site-settings";
import { t } from "@/lib/texts/translate";

export function NewSiteForm({ zones }: { zones: string[] }) {
  const { perform, busy, problems } = useAction("sites.create", {
    fields: ["domain", "name", "timezone"],
    fieldOfCode: { domain_taken: "domain" },
  });
  const [zone, setZone] = useState("");
  const [leaving, leave] = useTransition();
  const router = useRouter();

  // Set in the browser, because the server does not know the reader's timezone.
  useEffect(() => setZone((typed) => typed || Intl.DateTimeFormat().resolvedOptions().timeZone), []);

  async function submit(formData: FormData) {
    const [domain, name] = [String(formData.get("domain")), String(formData.get("name"))];
    const site = await perform({ domain, name, timezone: zone, public: formData.get("public") === "on" });
    if (!site) return;
    leave(() => {
      router.push(`/sites/${site.site_id}/install`);
      // The header lists the sites.
      router.refresh();
    });
  }

  const { fields } = problems;
  return (
    <Form problem={problems.message} onSubmit={submit} className="card space-y-5 p-5">
      <Field
        label={t("Domain")}
        name="domain"
        placeholder={t("example.com")}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        required
        hint={t("Subdomains are included.")}
        problem={fields.domain}
      />
      <Field label={t("Name")} name="name" optional hint={t("Shown instead of the domain.")} problem={fields.name} />
      <TimezoneField zones={zones} value={zone} onChange={setZone} problem={fields.timezone} />
      <Switch
        name="public"
        label={t(SITE_SETTINGS.dashboard.public.label)}
        hint={t("Anyone can see the dashboard, without signing in.")}
      />
      <Button type="submit" disabled={busy || leaving} className="w-full">
        {busy || leaving ? t("Adding…") : t("Add site")}
      </Button>
    </Form>
  );
}
