"use client";

import { useAction } from "@/components/actions/actions";
import type { Annotation } from "@/components/reports/answers";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { problemsForFields } from "@/components/ui/form-problems";
import { Select } from "@/components/ui/select";
import { ANNOTATION_KINDS } from "@/lib/contract/vocabulary";

const KINDS = Object.entries(ANNOTATION_KINDS).map(([value, label]) => ({ value, label }));
const FIELDS = ["date", "kind", "text", "url"];

interface Props {
  siteId: number;
  /** The annotation to edit; null for a new one. */
  annotation: Annotation | null;
  /** Default local day of a new annotation. */
  date: string;
  onDone(): void;
  onCancel(): void;
}

/** Dialog to add or edit an annotation. */
export default function AnnotationDialog({ siteId, annotation, date, onDone, onCancel }: Props) {
  const { perform, busy, problems } = useAction("sites.annotations.save");

  async function submit(typed: FormData) {
    const day = String(typed.get("date"));
    // Annotations of agents may have an exact time: keep it unless the day changes.
    const keepsMoment = annotation && !annotation.all_day && day === annotation.date;
    const done = await perform({
      site_id: siteId,
      id: annotation?.id ?? null,
      ...(keepsMoment ? { time: annotation.at } : { date: day }),
      kind: String(typed.get("kind")),
      text: String(typed.get("text")),
      url: String(typed.get("url")),
    });
    if (done) onDone();
  }

  return (
    <FormDialog
      title={annotation ? "Edit annotation" : "New annotation"}
      about="Visible to all site members, below the chart and in email reports."
      problems={problemsForFields(problems, FIELDS)}
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <div className="grid grid-cols-2 gap-3">
        <Field
          label="Date"
          name="date"
          type="date"
          defaultValue={annotation?.date ?? date}
          problem={problems.fields.date}
        />
        <Select label="Kind" name="kind" choices={KINDS} defaultValue={annotation?.kind ?? "note"} />
      </div>
      <Field
        label="Text"
        name="text"
        defaultValue={annotation?.text}
        placeholder="Version 2.0 is live"
        autoComplete="off"
        maxLength={280}
        problem={problems.fields.text}
      />
      <Field
        label="Link"
        optional
        name="url"
        type="url"
        defaultValue={annotation?.url ?? ""}
        placeholder="https://example.com/notes"
        autoComplete="off"
        maxLength={2048}
        problem={problems.fields.url}
      />
    </FormDialog>
  );
}
