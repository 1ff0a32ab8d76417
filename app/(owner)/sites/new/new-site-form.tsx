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
        label="Domain"
        name="domain"
        placeholder="example.com"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        required
        hint="Subdomains are included."
        problem={fields.domain}
      />
      <Field label="Name" name="name" optional hint="Shown instead of the domain." problem={fields.name} />
      <TimezoneField zones={zones} value={zone} onChange={setZone} problem={fields.timezone} />
      <Switch
        name="public"
        label={SITE_SETTINGS.dashboard.public.label}
        hint="Anyone can see the dashboard, without signing in."
      />
      <Button type="submit" disabled={busy || leaving} className="w-full">
        {busy || leaving ? "Adding…" : "Add site"}
      </Button>
    </Form>
  );
}
