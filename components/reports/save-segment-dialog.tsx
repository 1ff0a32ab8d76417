"use client";

import type { FormEvent } from "react";
import { useAction } from "@/components/actions/actions";
import { type Filter, sentOf } from "@/components/reports/filters";
import { useGo, useViewHref } from "@/components/reports/view-frame";
import { Dialog } from "@/components/ui/dialog";
import { DialogActions } from "@/components/ui/dialog-actions";
import { Field } from "@/components/ui/field";

interface Props {
  siteId: number;
  filters: Filter[];
  /** Display text of the filters. */
  sentences: string[];
  onClose(): void;
}

/** Dialog to save the filters as a segment; the view then uses the segment instead. */
export default function SaveSegmentDialog({ siteId, filters, sentences, onClose }: Props) {
  const { perform, busy, problems } = useAction("sites.segments.save");
  const href = useViewHref();
  const go = useGo();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    const saved = await perform({ site_id: siteId, name, filters: sentOf(filters) ?? {} });
    if (!saved) return;
    onClose();
    go(href({ filters: null, segment: saved.id }));
  }

  return (
    <Dialog
      title="Save filters as a segment"
      about={
        <>
          <p>Everyone with access to the site can use it.</p>
          <ul className="list-disc pl-5 break-words">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      }
      problems={problems}
      onCancel={onClose}
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <Field label="Name" name="name" autoComplete="off" maxLength={191} problem={problems.fields.name} />
        <DialogActions busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
