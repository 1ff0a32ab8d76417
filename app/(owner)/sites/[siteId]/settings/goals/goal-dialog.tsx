"use client";

import { useState } from "react";
import type { EditProps } from "@/components/actions/saved-list";
import { Suggested } from "@/components/reports/suggestions";
import { Field, InputFrame, inputLook } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Select } from "@/components/ui/select";
import { legiblePath } from "@/lib/platform/legible";
import type { Goal } from "./goals";

const KINDS = [
  { value: "event", label: "Event" },
  { value: "page", label: "Page" },
];
const HINTS = {
  event: "Its exact name.",
  page: "A path. * matches one segment, ** any number of segments: /shop/**.",
};

/** A goal to save; the id of a new one is null. */
export type GoalDraft = Omit<Goal, "id" | "maker" | "href"> & { id: number | null };

interface Props extends EditProps<GoalDraft> {
  siteId: number;
}

/** Dialog to create or edit a goal. */
export function GoalDialog({ siteId, draft, problems, busy, onSave, onCancel }: Props) {
  const [kind, setKind] = useState(draft.kind);
  const [pattern, setPattern] = useState(legiblePath(draft.pattern));
  const [name, setName] = useState(draft.name);
  const patternProblem = problems.fields["reached_by.pattern"];

  const submit = () => onSave({ id: draft.id, name: name.trim() || pattern, kind, pattern });

  return (
    <FormDialog
      title={draft.id === null ? "New goal" : `Edit ${draft.name}`}
      problems={problems}
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-3">
        <Select
          label="Reached by"
          choices={KINDS}
          value={kind}
          onChange={({ target }) => setKind(target.value as Goal["kind"])}
        />
        <InputFrame label={kind === "event" ? "Name of the event" : "Path"} hint={HINTS[kind]} problem={patternProblem}>
          {(tied) => (
            <Suggested
              {...tied}
              siteId={siteId}
              field={kind}
              value={pattern}
              onChange={({ target }) => setPattern(target.value)}
              placeholder={kind === "event" ? "Signup" : "/thanks"}
              className={inputLook}
            />
          )}
        </InputFrame>
      </div>
      <Field
        label="Name"
        optional
        value={name}
        onChange={({ target }) => setName(target.value)}
        placeholder={pattern}
        autoComplete="off"
        maxLength={191}
        problem={problems.fields.name}
      />
    </FormDialog>
  );
}
