"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useAction } from "@/components/actions/actions";
import DeleteSaved from "@/components/reports/delete-saved";
import { type Filter, sentOf, writeFilters } from "@/components/reports/filters";
import { RowButton } from "@/components/reports/row-button";
import { SavedRow } from "@/components/reports/saved-row";
import type { Segment } from "@/components/reports/segment-picker";
import { useGo, useViewHref, ViewLink } from "@/components/reports/view-frame";
import { Button, buttonLook } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { DialogActions } from "@/components/ui/dialog-actions";
import { Field } from "@/components/ui/field";
import { problemsForFields } from "@/components/ui/form-problems";

export interface Present {
  /** What the view is narrowed to besides its segment. */
  filters: Filter[];
  /** The same in words. */
  sentences: string[];
}

interface Props {
  siteId: number;
  segments: Segment[];
  /** The id of the one that the view is narrowed to. */
  current: string | null;
  present: Present;
  onClose(): void;
}

/** The segments of a site, to be renamed, given other filters, and deleted. */
export default function SegmentsDialog({ siteId, segments, current, present, onClose }: Props) {
  const [changing, setChanging] = useState<Segment>();
  const [deleting, setDeleting] = useState<Segment>();
  const router = useRouter();
  const href = useViewHref();
  const go = useGo();

  function deleted({ id }: Segment) {
    setDeleting(undefined);
    if (segments.length === 1) onClose();
    if (id === current) go(href({ segment: null }));
    else router.refresh();
  }

  if (changing) {
    const done = () => setChanging(undefined);
    return <ChangeSegment siteId={siteId} segment={changing} present={present} onDone={done} />;
  }
  return (
    <Dialog
      title="Segments"
      about="Saved filters that everybody of the site can choose."
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
            <RowButton action="Change" name={segment.name} onClick={() => setChanging(segment)} />
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
          Links to views with this segment will say that it is gone. No visit is lost.
        </DeleteSaved>
      )}
    </Dialog>
  );
}

interface ChangeProps extends Pick<Props, "siteId" | "present"> {
  segment: Segment;
  onDone(): void;
}

/** Another name, and the filters of the view in place of those it has, where the view has any. */
function ChangeSegment({ siteId, segment, present, onDone }: ChangeProps) {
  const { perform, busy, problems } = useAction("sites.segments.save");
  const [replaces, setReplaces] = useState(false);
  const router = useRouter();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    const filters = sentOf(replaces ? present.filters : segment.filters) ?? {};
    if (!(await perform({ site_id: siteId, id: segment.id, name, filters }))) return;
    router.refresh();
    onDone();
  }

  return (
    <Dialog title={`Change ${segment.name}`} problems={problemsForFields(problems, ["name"])} onCancel={onDone}>
      <form onSubmit={submit} noValidate className="space-y-4">
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
            label="Those it has"
            all={segment.sentences}
          />
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
        <DialogActions busy={busy} onCancel={onDone} />
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
