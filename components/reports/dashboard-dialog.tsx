"use client";

import { type FormEvent, useState } from "react";
import { FIRST_PANELS, writePanels } from "@/components/reports/dashboard-panels";
import type { DashboardDraft } from "@/components/reports/dashboard-picker";
import { PanelList } from "@/components/reports/panel-list";
import type { Patch } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { besides, type FormProblems } from "@/components/ui/form-problems";
import type { DashboardPanel } from "@/lib/sites/saved/dashboards";

interface Props {
  panels: DashboardPanel[];
  /** What can be saved of the view, and how; null where it cannot, or by someone who only looks. */
  saving: { draft: DashboardDraft; problems: FormProblems; busy: boolean; onSave(draft: DashboardDraft): void } | null;
  manages: boolean;
  /** Shows other panels without saving them. */
  onShow(patch: Patch): void;
  onCancel(): void;
}

/** Chooses and orders the panels of the view on show, and keeps all of it under a name. */
export default function DashboardDialog({ panels, saving, manages, onShow, onCancel }: Props) {
  const { draft, problems = NONE, busy = false, onSave } = saving ?? {};
  const [own, setOwn] = useState(panels.length > 0);
  const [picked, setPicked] = useState(own ? panels : FIRST_PANELS);
  const shown = own ? picked : [];
  const isEmpty = own && picked.length === 0;
  const show = () => onShow({ panels: writePanels(shown) });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!draft || !onSave) return show();
    const name = String(new FormData(event.currentTarget).get("name"));
    const { submitter } = event.nativeEvent as SubmitEvent;
    const isAnother = submitter instanceof HTMLButtonElement && submitter.value === "another";
    const patch = { ...draft.patch, panels: writePanels(shown) };
    onSave({ ...draft, id: isAnother ? null : draft.id, name, patch, view: { ...draft.view, panels: shown } });
  }

  return (
    <Dialog
      title={draft ? "Panels of this view" : "Choose panels"}
      about={draft && `Saved with them: ${draft.about}.`}
      problems={besides(problems, ["name"])}
      onCancel={onCancel}
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <fieldset className="space-y-1.5 text-sm">
          <legend className="sr-only">Panels</legend>
          <Which label="The usual panels" checked={!own} onChoose={() => setOwn(false)} />
          <Which label="Panels of your own" checked={own} onChoose={() => setOwn(true)} />
          {own && <PanelList picked={picked} onChange={setPicked} />}
        </fieldset>
        {manages && !draft && (
          <p className="text-sm text-muted">
            To save this view, drop the segment or a filter: both narrow the same dimension, each to something else.
          </p>
        )}
        {draft && (
          <Field
            label="Name"
            name="name"
            defaultValue={draft.name}
            hint="Everybody who sees the site can open it then."
            autoComplete="off"
            maxLength={191}
            problem={problems.fields.name}
          />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="quiet" size="small" onClick={onCancel}>
            Cancel
          </Button>
          {draft && (
            <Button look="quiet" size="small" disabled={isEmpty} onClick={show}>
              Only show
            </Button>
          )}
          {draft?.id && (
            <Button type="submit" value="another" look="quiet" size="small" disabled={busy || isEmpty}>
              Save as another
            </Button>
          )}
          <Button type="submit" size="small" disabled={busy || isEmpty}>
            {draft ? "Save" : "Show"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const NONE: FormProblems = { fields: {} };

const Which = ({ label, checked, onChoose }: { label: string; checked: boolean; onChoose(): void }) => (
  <label className="flex cursor-pointer items-center gap-2.5">
    <input type="radio" name="which" checked={checked} onChange={onChoose} className="accent-accent" />
    {label}
  </label>
);
