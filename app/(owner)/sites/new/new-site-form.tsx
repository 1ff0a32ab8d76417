"use client";

import { useEffect, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import type { FormProblems } from "@/components/ui/form-problems";
import { Switch } from "@/components/ui/switch";
import { TimezoneField } from "@/components/ui/timezone-field";
import { addSite } from "./actions";

export function NewSiteForm({ zones }: { zones: string[] }) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [zone, setZone] = useState("");
  const [busy, start] = useTransition();

  // Set in the browser, because the server does not know the reader's timezone.
  useEffect(() => setZone((typed) => typed || Intl.DateTimeFormat().resolvedOptions().timeZone), []);

  function submit(formData: FormData) {
    start(async () => setProblems(await addSite(formData)));
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
      <Switch name="public" label="Public dashboard" hint="Anyone can see the dashboard, without signing in." />
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? "Adding…" : "Add site"}
      </Button>
    </Form>
  );
}
