"use client";

import { type FormEvent, useState } from "react";
import type { EditProps } from "@/components/actions/saved-list";
import { FIRST_PANELS, writePanels } from "@/components/reports/dashboard-panels";
import type { DashboardDraft } from "@/components/reports/dashboard-picker";
import { PanelList } from "@/components/reports/panel-list";
import type { Patch } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import type { FormProblems } from "@/components/ui/form-problems";
import type { DashboardPanel } from "@/lib/sites/saved/dashboards";
import { t } from "@/lib/texts/translate";

interface Props {
  panels: DashboardPanel[];
  /** The dashboard to save; null if it cannot be saved or the user may not save it. */
  saving: Omit<EditProps<DashboardDraft>, "onCancel"> | null;
  manages: boolean;
  /** Shows the chosen panels without saving them. */
  onShow(patch: Patch): void;
  onCancel(): void;
}

/** Dialog to choose and order the panels of the current view and to save them as a dashboard under a name. */
export default function DashboardDialog({ panels, saving, manages, onShow, onCancel }: Props) {
  const { draft, problems = NONE, busy = false, onSave } = saving ?? {};
  const [isCustom, setCustom] = useState(panels.length > 0);
  const [picked, setPicked] = useState(isCustom ? panels : FIRST_PANELS);
  const shown = isCustom ? picked : [];
  const isEmpty = isCustom && picked.length === 0;
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
      title={draft ? t("Panels of this dashboard") : t("Choose panels")}
      about={draft && t("Also saved: {parts}.", { parts: draft.about })}
      problems={problems}
      onCancel={onCancel}
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <fieldset className="space-y-1.5 text-sm">
          <legend className="sr-only">{t("Panels")}</legend>
          <Which label={t("Default panels")} checked={!isCustom} onChoose={() => setCustom(false)} />
          <Which label={t("Custom panels")} checked={isCustom} onChoose={() => setCustom(true)} />
          {isCustom && <PanelList picked={picked} onChange={setPicked} />}
        </fieldset>
        {manages && !draft && (
          <p className="text-sm text-muted">
            {t(
              "To save this dashboard, remove the segment or a filter: they filter the same dimension by different values.",
            )}
          </p>
        )}
        {draft && (
          <Field
            label={t("Name")}
            name="name"
            defaultValue={draft.name}
            hint={t("Everyone with access to the site can open it.")}
            autoComplete="off"
            maxLength={191}
            problem={problems.fields.name}
          />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="quiet" size="small" onClick={onCancel}>
            {t("Cancel")}
          </Button>
          {draft && (
            <Button look="quiet" size="small" disabled={isEmpty} onClick={show}>
              {t("Show without saving")}
            </Button>
          )}
          {draft?.id && (
            <Button type="submit" value="another" look="quiet" size="small" disabled={busy || isEmpty}>
              {t("Save as new")}
            </Button>
          )}
          <Button type="submit" size="small" disabled={busy || isEmpty}>
            {draft ? t("Save") : t("Show")}
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
