"use client";

import type { EditProps } from "@/components/actions/saved-list";
import type { Annotation } from "@/components/reports/answers";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Select } from "@/components/ui/select";
import { ANNOTATION_KINDS, type AnnotationKind } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

/** An annotation to save; the id of a new one is null. */
export interface AnnotationDraft extends Pick<Annotation, "date" | "kind" | "text"> {
  id: number | null;
  url: string;
  /** Its exact time; null for a whole day. */
  time: string | null;
}

const EXAMPLE_LINK = "https://example.com/notes";

/** Dialog to add or edit an annotation. */
export default function AnnotationDialog({ draft, problems, busy, onSave, onCancel }: EditProps<AnnotationDraft>) {
  const kinds = Object.entries(ANNOTATION_KINDS).map(([value, label]) => ({ value, label: t(label) }));

  function submit(data: FormData) {
    const date = String(data.get("date"));
    onSave({
      id: draft.id,
      date,
      // Annotations of agents may have an exact time: keep it unless the day changes.
      time: date === draft.date ? draft.time : null,
      kind: String(data.get("kind")) as AnnotationKind,
      text: String(data.get("text")),
      url: String(data.get("url")),
    });
  }

  return (
    <FormDialog
      title={draft.id === null ? t("New annotation") : t("Edit annotation")}
      about={t("Visible to all site members, below the chart and in email reports.")}
      problems={problems}
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <div className="grid grid-cols-2 gap-3">
        <Field label={t("Date")} name="date" type="date" defaultValue={draft.date} problem={problems.fields.date} />
        <Select label={t("Kind")} name="kind" choices={kinds} defaultValue={draft.kind} />
      </div>
      <Field
        label={t("Text")}
        name="text"
        defaultValue={draft.text}
        placeholder={t("Version 2.0 is live")}
        autoComplete="off"
        maxLength={280}
        problem={problems.fields.text}
      />
      <Field
        label={t("Link")}
        optional
        name="url"
        type="url"
        defaultValue={draft.url}
        placeholder={EXAMPLE_LINK}
        autoComplete="off"
        maxLength={2048}
        problem={problems.fields.url}
      />
    </FormDialog>
  );
}
