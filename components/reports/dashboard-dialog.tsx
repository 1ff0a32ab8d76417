"use client";

import { type FormEvent, useState } from "react";
import { useAction } from "@/components/actions/actions";
import type { ActionInput } from "@/components/actions/typed";
import { FIRST_PANELS, writePanels } from "@/components/reports/dashboard-panels";
import type { SavableView, SavedDashboard } from "@/components/reports/dashboard-picker";
import { PanelList } from "@/components/reports/panel-list";
import { type Patch, useGo } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { problemsForFields } from "@/components/ui/form-problems";
import type { DashboardPanel } from "@/lib/sites/saved/dashboards";

interface Props {
  siteId: number;
  /** The saved view that is open, if any. */
  chosen: SavedDashboard | null;
  panels: DashboardPanel[];
  saving: SavableView;
  /** Whether the user can save views; everyone can choose panels for themselves. */
  manages: boolean;
  onClose(): void;
}

/** Dialog to choose and order the panels of the current view and to save it under a name. */
export default function DashboardDialog({ siteId, chosen, panels, saving, manages, onClose }: Props) {
  const { perform, busy, problems } = useAction("sites.dashboards.save");
  const [isCustom, setCustom] = useState(panels.length > 0);
  const [picked, setPicked] = useState(isCustom ? panels : FIRST_PANELS);
  const go = useGo();
  const shown = isCustom ? picked : [];
  const saves = manages && saving.stored !== null;
  const isEmpty = isCustom && picked.length === 0;

  function leave(patch: Patch) {
    onClose();
    go({ ...patch, panels: writePanels(shown) });
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!saves) return leave({});
    const name = String(new FormData(event.currentTarget).get("name"));
    const { submitter } = event.nativeEvent as SubmitEvent;
    const id = submitter instanceof HTMLButtonElement && submitter.value === "another" ? null : (chosen?.id ?? null);
    const view = { ...saving.stored, panels: shown } as Omit<ActionInput<"sites.dashboards.save">, "site_id" | "name">;
    const done = await perform({ ...view, site_id: siteId, id, name });
    if (done) leave({ ...saving.patch, opened: done.id });
  }

  return (
    <Dialog
      title={saves ? "Panels of this view" : "Choose panels"}
      about={saves ? `Also saved: ${saving.words.join(", ")}.` : undefined}
      problems={problemsForFields(problems, ["name"])}
      onCancel={onClose}
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <fieldset className="space-y-1.5 text-sm">
          <legend className="sr-only">Panels</legend>
          <Which label="Default panels" checked={!isCustom} onChoose={() => setCustom(false)} />
          <Which label="Custom panels" checked={isCustom} onChoose={() => setCustom(true)} />
          {isCustom && <PanelList picked={picked} onChange={setPicked} />}
        </fieldset>
        {manages && saving.stored === null && (
          <p className="text-sm text-muted">
            To save this view, remove the segment or a filter: they filter the same dimension by different values.
          </p>
        )}
        {saves && (
          <Field
            label="Name"
            name="name"
            defaultValue={chosen?.name}
            hint="Everyone with access to the site can open it."
            autoComplete="off"
            maxLength={191}
            problem={problems.fields.name}
          />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="quiet" size="small" onClick={onClose}>
            Cancel
          </Button>
          {saves && (
            <Button look="quiet" size="small" disabled={isEmpty} onClick={() => leave({})}>
              Show without saving
            </Button>
          )}
          {saves && chosen && (
            <Button type="submit" value="another" look="quiet" size="small" disabled={busy || isEmpty}>
              Save as new
            </Button>
          )}
          <Button type="submit" size="small" disabled={busy || isEmpty}>
            {saves ? "Save" : "Show"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const Which = ({ label, checked, onChoose }: { label: string; checked: boolean; onChoose(): void }) => (
  <label className="flex cursor-pointer items-center gap-2.5">
    <input type="radio" name="which" checked={checked} onChange={onChoose} className="accent-accent" />
    {label}
  </label>
);
