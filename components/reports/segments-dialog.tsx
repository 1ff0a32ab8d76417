"use client";

import { type FormEvent, useState } from "react";
import type { SavedList } from "@/components/actions/saved-list";
import DeleteSaved from "@/components/reports/delete-saved";
import { type Filter, writeFilters } from "@/components/reports/filters";
import { RowButton } from "@/components/reports/row-button";
import { SavedRow } from "@/components/reports/saved-row";
import type { Segment, SegmentDraft } from "@/components/reports/segment-picker";
import { useGo, useViewHref, ViewLink } from "@/components/reports/view-frame";
import { Button, buttonLook } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { DialogActions } from "@/components/ui/dialog-actions";
import { Field } from "@/components/ui/field";
import { besides, type FormProblems } from "@/components/ui/form-problems";

export interface Present {
  /** What the view is narrowed to besides its segment. */
  filters: Filter[];
  /** The same in words. */
  sentences: string[];
}

interface Props {
  list: SavedList<Segment, SegmentDraft>;
  /** The id of the one that the view is narrowed to. */
  current: string | null;
  present: Present;
  onClose(): void;
}

/** The segments of a site, to be renamed, given other filters, and deleted. */
export default function SegmentsDialog({ list, current, present, onClose }: Props) {
  const { shown, opened, busy, open, close, save, remove } = list;
  const [deleting, setDeleting] = useState<Segment>();
  const href = useViewHref();
  const go = useGo();

  async function take(segment: Segment) {
    setDeleting(undefined);
    if (shown.length === 1) onClose();
    if ((await remove(segment)) && segment.id === current) go(href({ segment: null }));
  }

  if (opened) return <ChangeSegment {...opened} {...{ present, busy }} onSave={save} onCancel={close} />;
  return (
    <Dialog
      title="Segments"
      about="Saved filters that everybody of the site can choose."
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
              aria-label={`Show ${segment.name} as filters`}
              className={buttonLook({ look: "quiet", size: "small" })}
            >
              Show as filters
            </ViewLink>
            <RowButton action="Change" name={segment.name} onClick={() => open(segment)} />
            <RowButton action="Delete" name={segment.name} onClick={() => setDeleting(segment)} />
          </SavedRow>
        ))}
      </ul>
      <div className="mt-4 flex justify-end">
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      {deleting && (
        <DeleteSaved saved={deleting} onYes={() => take(deleting)} onCancel={() => setDeleting(undefined)}>
          Links to views with this segment will say that it is gone. No visit is lost.
        </DeleteSaved>
      )}
    </Dialog>
  );
}

interface ChangeProps extends Pick<Props, "present"> {
  draft: SegmentDraft;
  problems: FormProblems;
  busy: boolean;
  onSave(draft: SegmentDraft): void;
  onCancel(): void;
}

/** Another name, and the filters of the view in place of those it has, where the view has any. */
function ChangeSegment({ draft, problems, busy, present, onSave, onCancel }: ChangeProps) {
  const [replaces, setReplaces] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    const { filters, sentences } = replaces ? present : draft;
    onSave({ id: draft.id, name, filters, sentences });
  }

  return (
    <Dialog title={`Change ${draft.name}`} problems={besides(problems, ["name"])} onCancel={onCancel}>
      <form onSubmit={submit} noValidate className="space-y-4">
        <Field
          label="Name"
          name="name"
          defaultValue={draft.name}
          autoComplete="off"
          maxLength={191}
          problem={problems.fields.name}
        />
        <fieldset className="space-y-2 text-sm">
          <legend className="mb-1.5 font-medium">Filters</legend>
          <Choose checked={!replaces} onChoose={() => setReplaces(false)} label="Those it has" all={draft.sentences} />
          {present.filters.length > 0 ? (
            <Choose
              checked={replaces}
              onChoose={() => setReplaces(true)}
              label="Those of this view"
              all={present.sentences}
            />
          ) : (
            <p className="text-muted">For others, choose “Show as filters”, change them there, and come back.</p>
          )}
        </fieldset>
        <DialogActions busy={busy} onCancel={onCancel} />
      </form>
    </Dialog>
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
