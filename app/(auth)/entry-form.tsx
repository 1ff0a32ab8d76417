"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { FAILED, type FormProblems } from "@/components/ui/form-problems";
import { Notice } from "@/components/ui/notice";

interface Props {
  /** Label of the submit button, and while the form is sent. */
  action: string;
  busyAction: string;
  /** Sends the form. Returns the errors; null if the page or the form is left. */
  send(formData: FormData): Promise<FormProblems | null>;
  /** Renders the fields with their errors. */
  children(problems: FormProblems["fields"]): ReactNode;
}

/** A form of a page without sign-in. The server's messages are shown beside the fields instead of the browser's. */
export function EntryForm({ action, busyAction, send, children }: Props) {
  const [problems, setProblems] = useState<FormProblems>({ fields: {} });
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    setBusy(true);
    const refused = await send(formData).catch(() => FAILED);
    if (!refused) return;
    setProblems(refused);
    setBusy(false);
  }

  return (
    <form onSubmit={submit} method="post" noValidate className="card space-y-4 p-5">
      {problems.message && <Notice>{problems.message}</Notice>}
      {children(problems.fields)}
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? busyAction : action}
      </Button>
    </form>
  );
}
