"use client";

import { type FormEvent, useEffect, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import type { FormProblems } from "@/components/ui/form-problems";
import { Notice } from "@/components/ui/notice";
import { Switch } from "@/components/ui/switch";
import { TimezoneField } from "@/components/ui/timezone-field";
import { addSite } from "./actions";

export function NewSiteForm({ zones }: { zones: string[] }) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [zone, setZone] = useState("");
  const [busy, start] = useTransition();

  // Only the browser knows; the server's own zone would be a wrong guess.
  useEffect(() => setZone((typed) => typed || Intl.DateTimeFormat().resolvedOptions().timeZone), []);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    start(async () => setProblems(await addSite(typed)));
  }

  const { fields } = problems;
  return (
    // The browser's own bubbles are off: the sentences of the operation stand beside the fields.
    <form onSubmit={submit} noValidate className="card space-y-5 p-5">
      {problems.message && <Notice>{problems.message}</Notice>}
      <Field
        label="Domain"
        name="domain"
        placeholder="example.com"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        required
        hint="Its subdomains are counted with it."
        problem={fields.domain}
      />
      <Field label="Name" name="name" optional hint="What you call it. The domain, if empty." problem={fields.name} />
      <TimezoneField zones={zones} value={zone} onChange={setZone} problem={fields.timezone} />
      <Switch name="public" label="Public dashboard" hint="Anyone may see the numbers, nobody may change anything." />
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? "Adding…" : "Add site"}
      </Button>
    </form>
  );
}
