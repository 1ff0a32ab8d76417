"use client";

import type { FormEvent } from "react";
import { useGo } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";

/** Form for the start of the paths (a page or an event) and a funnel to split by. */
export function JourneyForm({ start, funnel }: { start: string; funnel: string }) {
  const go = useGo();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => `${typed.get(name)}`.trim() || null;
    go({ start: text("start"), funnel: text("funnel") });
  }

  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-56">
        <Field label="Start at" name="start" defaultValue={start} placeholder="/pricing or event:Signup" />
      </div>
      <div className="min-w-0 flex-1 basis-56">
        <Field label="Split by funnel" name="funnel" defaultValue={funnel} placeholder="Name, or /pricing > /thanks" />
      </div>
      <Button type="submit" look="quiet">
        Show
      </Button>
    </form>
  );
}
