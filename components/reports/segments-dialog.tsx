"use client";

import { useState } from "react";
import type { EditProps, SavedList } from "@/components/actions/saved-list";
import { DeleteSaved } from "@/components/reports/delete-saved";
import { type Filter, writeFilters } from "@/components/reports/filters";
import { SavedRow } from "@/components/reports/saved-row";
import type { Segment, SegmentDraft } from "@/components/reports/segment-picker";
import { useGo, ViewLink } from "@/components/reports/view-frame";
import { Button, buttonLook } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { RowButton } from "@/components/ui/row-button";
import { t } from "@/lib/texts/translate";

export interface Present {
  /** The filters of the view besides its segment. */
  filters: Filter[];
  /** Display text of the filters. */
  sentences: string[];
}

interface Props {
  list: SavedList<Segment, SegmentDraft>;
  /** Id of the current segment. */
  current: string | null;
  present: Present;
  onClose(): void;
}

/** Dialog to edit and delete the segments of a site. */
export default function SegmentsDialog({ list, current, present, onClose }: Props) {
  const { shown, editing, open, remove } = list;
  const [deleting, setDeleting] = useState<Segment>();
  const go = useGo();

  async function removeSegment(segment: Segment) {
    if (shown.length === 1) onClose();
    if ((await remove(segment)) && segment.id === current) go({ segment: null });
  }

  if (editing) return <EditSegment {...editing} present={present} />;
  return (
    <Dialog
      title={t("Segments")}
      about={t("Saved filters that everyone with access to the site can use.")}
      wide
      problems={{ fields: {} }}
      onCancel={onClose}
    >
      <ul className="divide-y divide-line border-y border-line">
        {shown.map((segment) => (
          <SavedRow key={segment.id} name={segment.name} about={segment.sentences.join(", ")} maker={segment.maker}>
            <ViewLink
              patch={{ segment: null, filters: writeFilters(segment.filters) }}
              onGo={onClose}
              aria-label={t("Show {segment} as filters", { segment: segment.name })}
              className={buttonLook({ look: "quiet", size: "small" })}
            >
              {t("Show as filters")}
            </ViewLink>
            <RowButton action={t("Edit")} name={segment.name} onClick={() => open(segment)} />
            <RowButton action={t("Delete")} name={segment.name} onClick={() => setDeleting(segment)} />
          </SavedRow>
        ))}
      </ul>
      <div className="mt-4 flex justify-end">
        <Button look="quiet" onClick={onClose}>
          {t("Close")}
        </Button>
      </div>
      {deleting && (
        <DeleteSaved saved={deleting} onDelete={() => removeSegment(deleting)} onClose={() => setDeleting(undefined)}>
          {t("Links that use this segment will show that it was deleted. No analytics data is deleted.")}
        </DeleteSaved>
      )}
    </Dialog>
  );
}

interface EditSegmentProps extends EditProps<SegmentDraft>, Pick<Props, "present"> {}

/** Dialog to rename a segment and to replace its filters with those of the view. */
function EditSegment({ draft, problems, busy, present, onSave, onCancel }: EditSegmentProps) {
  const [replaces, setReplaces] = useState(false);

  function submit(data: FormData) {
    const name = String(data.get("name"));
    const { filters, sentences } = replaces ? present : draft;
    onSave({ id: draft.id, name, filters, sentences });
  }

  return (
    <FormDialog
      title={t("Edit {name}", { name: draft.name })}
      problems={problems}
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Field
        label={t("Name")}
        name="name"
        defaultValue={draft.name}
        autoComplete="off"
        maxLength={191}
        problem={problems.fields.name}
      />
      <fieldset className="space-y-2 text-sm">
        <legend className="mb-1.5 font-medium">{t("Filters")}</legend>
        <Choose
          checked={!replaces}
          onChoose={() => setReplaces(false)}
          label={t("Current filters")}
          all={draft.sentences}
        />
        {present.filters.length > 0 ? (
          <Choose
            checked={replaces}
            onChoose={() => setReplaces(true)}
            label={t("Filters of this view")}
            all={present.sentences}
          />
        ) : (
          <p className="text-muted">
            {t("To use other filters, select “Show as filters”, edit them there and return.")}
          </p>
        )}
      </fieldset>
    </FormDialog>
  );
}

interface ChooseProps {
  checked: boolean;
  label: string;
  all: string[];
  onChoose(): void;
}

const Choose = ({ checked, label, all, onChoose }: ChooseProps) => (
  <label className="flex cursor-pointer items-start gap-2.5">
    <input type="radio" name="filters" checked={checked} onChange={onChoose} className="mt-1 accent-accent" />
    <span className="min-w-0">
      {label}
      <span className="block break-words text-muted">{all.join(", ")}</span>
    </span>
  </label>
);
