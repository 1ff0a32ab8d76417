"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form";
import { FAILED, type FormProblems } from "@/components/ui/form-problems";

interface Props {
  /** Label of the submit button, and while the form is sent. */
  action: string;
  busyAction: string;
  /** Sends the form. Returns the errors; null if the page or the form is left. */
  send(formData: FormData): Promise<FormProblems | null>;
  /** Renders the fields with their errors. */
  children(problems: FormProblems["fields"]): ReactNode;
}

/** A form of a page without sign-in. */
export function EntryForm({ action, busyAction, send, children }: Props) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);

  async function submit(formData: FormData) {
    setBusy(true);
    const refused = await send(formData).catch(() => FAILED);
    if (!refused) return;
    setProblems(refused);
    setBusy(false);
  }

  return (
    <Form problem={problems.message} onSubmit={submit} method="post" className="card space-y-4 p-5">
      {children(problems.fields)}
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? busyAction : action}
      </Button>
    </Form>
  );
}
