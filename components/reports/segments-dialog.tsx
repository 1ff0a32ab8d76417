"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import DeleteSaved from "@/components/reports/delete-saved";
import { type Filter, sentOf, writeFilters } from "@/components/reports/filters";
import { RowButton } from "@/components/reports/row-button";
import { SavedRow } from "@/components/reports/saved-row";
import type { Segment } from "@/components/reports/segment-picker";
import { useGo, ViewLink } from "@/components/reports/view-frame";
import { Button, buttonLook } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { problemsForFields } from "@/components/ui/form-problems";

export interface Present {
  /** The filters of the view besides its segment. */
  filters: Filter[];
  /** Display text of the filters. */
  sentences: string[];
}

interface Props {
  siteId: number;
  segments: Segment[];
  /** Id of the current segment. */
  current: string | null;
  present: Present;
  onClose(): void;
}

/** Dialog to edit and delete the segments of a site. */
export default function SegmentsDialog({ siteId, segments, current, present, onClose }: Props) {
  const [editing, setEditing] = useState<Segment>();
  const [deleting, setDeleting] = useState<Segment>();
  const router = useRouter();
  const go = useGo();

  function deleted({ id }: Segment) {
    setDeleting(undefined);
    if (segments.length === 1) onClose();
    if (id === current) go({ segment: null });
    else router.refresh();
  }

  if (editing) {
    const done = () => setEditing(undefined);
    return <EditSegment siteId={siteId} segment={editing} present={present} onDone={done} />;
  }
  return (
    <Dialog
      title="Segments"
      about="Saved filters that everyone with access to the site can use."
      wide
      problems={{ fields: {} }}
      onCancel={onClose}
    >
      <ul className="divide-y divide-line border-y border-line">
        {segments.map((segment) => (
          <SavedRow key={segment.id} name={segment.name} about={segment.sentences.join(", ")} maker={segment.maker}>
            <ViewLink
              patch={{ segment: null, filters: writeFilters(segment.filters) }}
              onGo={onClose}
              aria-label={`Show ${segment.name} as filters`}
              className={buttonLook({ look: "quiet", size: "small" })}
            >
              Show as filters
            </ViewLink>
            <RowButton action="Edit" name={segment.name} onClick={() => setEditing(segment)} />
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
        <DeleteSaved
          siteId={siteId}
          kind="segments"
          saved={deleting}
          onDone={() => deleted(deleting)}
          onCancel={() => setDeleting(undefined)}
        >
          Links that use this segment will show that it was deleted. No analytics data is deleted.
        </DeleteSaved>
      )}
    </Dialog>
  );
}

interface EditProps extends Pick<Props, "siteId" | "present"> {
  segment: Segment;
  onDone(): void;
}

/** Dialog to rename a segment and to replace its filters with those of the view. */
function EditSegment({ siteId, segment, present, onDone }: EditProps) {
  const { perform, busy, problems } = useAction("sites.segments.save");
  const [replaces, setReplaces] = useState(false);
  const router = useRouter();

  async function submit(typed: FormData) {
    const filters = sentOf(replaces ? present.filters : segment.filters) ?? {};
    if (!(await perform({ site_id: siteId, id: segment.id, name: String(typed.get("name")), filters }))) return;
    router.refresh();
    onDone();
  }

  return (
    <FormDialog
      title={`Edit ${segment.name}`}
      problems={problemsForFields(problems, ["name"])}
      busy={busy}
      onSubmit={submit}
      onCancel={onDone}
    >
      <Field
        label="Name"
        name="name"
        defaultValue={segment.name}
        autoComplete="off"
        maxLength={191}
        problem={problems.fields.name}
      />
      <fieldset className="space-y-2 text-sm">
        <legend className="mb-1.5 font-medium">Filters</legend>
        <Choose
          checked={!replaces}
          onChoose={() => setReplaces(false)}
          label="Current filters"
          all={segment.sentences}
        />
        {present.filters.length > 0 ? (
          <Choose
            checked={replaces}
            onChoose={() => setReplaces(true)}
            label="Filters of this view"
            all={present.sentences}
          />
        ) : (
          <p className="text-muted">To use other filters, select “Show as filters”, edit them there and return.</p>
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
