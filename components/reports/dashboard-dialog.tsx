"use client";

import { type FormEvent, useState } from "react";
import { useAction } from "@/components/actions/actions";
import type { ActionInput } from "@/components/actions/typed";
import { FIRST_PANELS, writePanels } from "@/components/reports/dashboard-panels";
import type { SavedDashboard, Saving } from "@/components/reports/dashboard-picker";
import { PanelList } from "@/components/reports/panel-list";
import { useGo, useViewHref } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { besides } from "@/components/ui/form-problems";
import type { DashboardPanel } from "@/lib/sites/saved/dashboards";

interface Props {
  siteId: number;
  /** The one that was opened, which may be changed. */
  chosen: SavedDashboard | null;
  panels: DashboardPanel[];
  saving: Saving;
  /** Whether whoever looks may save it; anyone may choose panels for themselves. */
  manages: boolean;
  onClose(): void;
}

/** Chooses and orders the panels of the view on show, and keeps all of it under a name. */
export default function DashboardDialog({ siteId, chosen, panels, saving, manages, onClose }: Props) {
  const { perform, busy, problems } = useAction("sites.dashboards.save");
  const [own, setOwn] = useState(panels.length > 0);
  const [picked, setPicked] = useState(own ? panels : FIRST_PANELS);
  const href = useViewHref();
  const go = useGo();
  const shown = own ? picked : [];
  const saves = manages && saving.stored !== null;
  const isEmpty = own && picked.length === 0;

  function leave(patch: Parameters<typeof href>[0]) {
    onClose();
    go(href({ ...patch, panels: writePanels(shown) }));
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
      about={saves ? `Saved with them: ${saving.words.join(", ")}.` : undefined}
      problems={besides(problems, ["name"])}
      onCancel={onClose}
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <fieldset className="space-y-1.5 text-sm">
          <legend className="sr-only">Panels</legend>
          <Which label="The usual panels" checked={!own} onChoose={() => setOwn(false)} />
          <Which label="Panels of your own" checked={own} onChoose={() => setOwn(true)} />
          {own && <PanelList picked={picked} onChange={setPicked} />}
        </fieldset>
        {manages && saving.stored === null && (
          <p className="text-sm text-muted">
            To save this view, drop the segment or a filter: both narrow the same dimension, each to something else.
          </p>
        )}
        {saves && (
          <Field
            label="Name"
            name="name"
            defaultValue={chosen?.name}
            hint="Everybody who sees the site can open it then."
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
              Only show
            </Button>
          )}
          {saves && chosen && (
            <Button type="submit" value="another" look="quiet" size="small" disabled={busy || isEmpty}>
              Save as another
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
