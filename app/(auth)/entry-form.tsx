"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form";

interface Props {
  /** Label of the submit button, and while the form is sent. */
  action: string;
  busyAction: string;
  /** Error message for the whole form. */
  problem: string | undefined;
  /** Sends the form. Returns whether the page or the form is left. */
  send(typed: (name: string) => string): Promise<boolean>;
  children: ReactNode;
}

/** A form of a page without sign-in. It stays busy while the next page loads. */
export function EntryForm({ action, busyAction, problem, send, children }: Props) {
  const [busy, setBusy] = useState(false);

  async function submit(formData: FormData) {
    setBusy(true);
    if (!(await send((name) => String(formData.get(name) ?? "")))) setBusy(false);
  }

  return (
    // method="post" keeps the password out of the URL if the form is submitted before our script runs.
    <Form problem={problem} onSubmit={submit} method="post" className="card space-y-4 p-5">
      {children}
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? busyAction : action}
      </Button>
    </Form>
  );
}
