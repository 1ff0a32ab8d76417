"use client";

import { type FormEvent, useState } from "react";
import { useDeed } from "@/components/deeds/deeds";
import { type Filter, sentOf } from "@/components/reports/filters";
import { useGo, useViewHref } from "@/components/reports/view-frame";
import { Dialog } from "@/components/ui/dialog";
import { DialogActions } from "@/components/ui/dialog-actions";
import { Field } from "@/components/ui/field";

interface Props {
  siteId: number;
  filters: Filter[];
  /** The same in words. */
  sentences: string[];
}

/** Keeps the filters under a name, for everybody of the site; the view is then that segment's. */
export function SaveSegment({ siteId, filters, sentences }: Props) {
  const [open, setOpen] = useState(false);
  const { perform, busy, problems } = useDeed("segments.save");
  const href = useViewHref();
  const go = useGo();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    const saved = await perform({ site_id: siteId, name, filters: sentOf(filters) });
    if (!saved) return;
    setOpen(false);
    go(href({ filters: null, segment: String(saved.id) }));
  }

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="rounded-md px-2 py-1 text-sm text-muted hover:bg-sunken hover:text-ink"
      >
        Save as segment
      </button>
      {open && (
        <Dialog
          title="Save these filters as a segment"
          about={
            <>
              <p>Everybody who sees the site can choose it then.</p>
              <ul className="list-disc pl-5 break-words">
                {sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            </>
          }
          problems={problems}
          onCancel={() => setOpen(false)}
        >
          <form onSubmit={submit} noValidate className="space-y-4">
            <Field label="Name" name="name" autoComplete="off" maxLength={191} problem={problems.fields.name} />
            <DialogActions busy={busy} onCancel={() => setOpen(false)} />
          </form>
        </Dialog>
      )}
    </>
  );
}
