"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Suggested } from "@/components/reports/suggestions";
import { Field, InputFrame, inputLook } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { problemsForFields } from "@/components/ui/form-problems";
import { Select } from "@/components/ui/select";
import type { Goal } from "./goals";

const KINDS = [
  { value: "event", label: "Event" },
  { value: "page", label: "Page" },
];
const HINTS = {
  event: "Its exact name.",
  page: "A path. * matches one segment, ** any number of segments: /shop/**.",
};

interface Props {
  siteId: number;
  /** null for a new goal. */
  goal: Goal | null;
  onDone(): void;
  onCancel(): void;
}

/** Dialog to create or edit a goal. */
export function GoalDialog({ siteId, goal, onDone, onCancel }: Props) {
  const { perform, busy, problems } = useAction("sites.goals.save");
  const [kind, setKind] = useState(goal?.kind ?? "event");
  const [pattern, setPattern] = useState(goal?.pattern ?? "");
  const [name, setName] = useState(goal?.name ?? "");
  const patternProblem = problems.fields["reached_by.pattern"];

  async function submit() {
    const reached_by = { kind, pattern };
    const goalName = name.trim() || pattern;
    if (await perform({ site_id: siteId, id: goal?.id ?? null, name: goalName, reached_by })) onDone();
  }

  return (
    <FormDialog
      title={goal ? `Edit ${goal.name}` : "New goal"}
      problems={problemsForFields(problems, ["name", "reached_by.pattern"])}
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
