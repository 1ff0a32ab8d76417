"use client";

import { type FormEvent, useEffect, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import type { FormProblems } from "@/components/ui/form-problems";
import { Notice } from "@/components/ui/notice";
import { addSite } from "./actions";

export function NewSiteForm({ zones }: { zones: string[] }) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, start] = useTransition();

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
      <TimezoneField zones={zones} problem={fields.timezone} />
      <Switch name="public" label="Public dashboard" hint="Anyone may see the numbers, nobody may change anything." />
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? "Adding…" : "Add site"}
      </Button>
    </form>
  );
}

function TimezoneField({ zones, problem }: { zones: string[]; problem?: string }) {
  const [zone, setZone] = useState("");

  // Only the browser knows; the server's own zone would be a wrong guess.
  useEffect(() => setZone((typed) => typed || Intl.DateTimeFormat().resolvedOptions().timeZone), []);

  return (
    <>
      <Field
        label="Timezone"
        name="timezone"
        list="zones"
        value={zone}
        onChange={(event) => setZone(event.target.value)}
        autoComplete="off"
        required
        hint="Its midnight begins the days of your reports."
        problem={problem}
      />
      <datalist id="zones">
        {zones.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function Switch({ name, label, hint }: { name: string; label: string; hint: string }) {
  return (
    <label className="flex cursor-pointer items-start justify-between gap-4">
      <span>
        <span className="block text-sm font-medium">{label}</span>
        <span className="block text-sm text-muted">{hint}</span>
      </span>
      <input type="checkbox" name={name} className="peer sr-only" />
      <span
        aria-hidden="true"
        className="relative mt-0.5 h-6 w-10 shrink-0 rounded-full bg-line-strong transition-colors peer-checked:bg-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent after:absolute after:top-0.5 after:left-0.5 after:size-5 after:rounded-full after:bg-white after:transition-transform peer-checked:after:translate-x-4"
      />
    </label>
  );
}
