"use client";

import { type FormEvent, useId } from "react";
import { useGo, useViewHref } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";

/** Where paths begin: anywhere, at a page or an event, or with the first step of a funnel. */
export function JourneyForm({ start, funnel }: { start: string; funnel: string }) {
  const href = useViewHref();
  const go = useGo();
  const id = useId();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => `${typed.get(name)}`.trim() || null;
    go(href({ start: text("start"), funnel: text("funnel") }));
  }

  const input = "h-9 w-full rounded-lg border border-line-strong bg-surface px-2.5 text-sm";
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-56">
        <label htmlFor={`${id}-start`} className="mb-1 block text-sm font-medium">
          Begin at
        </label>
        <input
          id={`${id}-start`}
          name="start"
          defaultValue={start}
          placeholder="/pricing or event:Signup"
          className={input}
        />
      </div>
      <div className="min-w-0 flex-1 basis-56">
        <label htmlFor={`${id}-funnel`} className="mb-1 block text-sm font-medium">
          Apart by funnel
        </label>
        <input
          id={`${id}-funnel`}
          name="funnel"
          defaultValue={funnel}
          placeholder="A saved one, or /pricing > /thanks"
          className={input}
        />
      </div>
      <Button type="submit" look="quiet" className="h-9">
        Show
      </Button>
    </form>
  );
}
