"use client";

import { useState } from "react";
import type { EditProps } from "@/components/actions/saved-list";
import { FIRST_PANELS, writePanels } from "@/components/reports/dashboard-panels";
import type { DashboardDraft } from "@/components/reports/dashboard-picker";
import { PanelList } from "@/components/reports/panel-list";
import { SaveDialog } from "@/components/reports/save-dialog";
import type { Patch } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form-dialog";
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
  const [isCustom, setCustom] = useState(panels.length > 0);
  const [picked, setPicked] = useState(isCustom ? panels : FIRST_PANELS);
  const shown = isCustom ? picked : [];
  const isEmpty = isCustom && picked.length === 0;
  const show = () => onShow({ panels: writePanels(shown) });
  const fields = (
    <fieldset className="space-y-1.5 text-sm">
      <legend className="sr-only">{t("Panels")}</legend>
      <Which label={t("Default panels")} checked={!isCustom} onChoose={() => setCustom(false)} />
      <Which label={t("Custom panels")} checked={isCustom} onChoose={() => setCustom(true)} />
      {isCustom && <PanelList picked={picked} onChange={setPicked} />}
    </fieldset>
  );
  if (!saving)
    return (
      <FormDialog
        title={t("Choose panels")}
        problems={NONE}
        action={t("Show")}
        busy={isEmpty}
        onSubmit={show}
        onCancel={onCancel}
      >
        {fields}
        {manages && (
          <p className="text-sm text-muted">
            {t(
              "To save this dashboard, remove the segment or a filter: they filter the same dimension by different values.",
            )}
          </p>
        )}
      </FormDialog>
    );

  const { draft, problems, busy, onSave } = saving;
  return (
    <SaveDialog
      title={t("Panels of this dashboard")}
      about={t("Also saved: {parts}.", { parts: draft.about })}
      saved={draft}
      hint={t("Everyone with access to the site can open it.")}
      problems={problems}
      busy={busy || isEmpty}
      buttons={
        <Button look="quiet" disabled={isEmpty} onClick={show}>
          {t("Show without saving")}
        </Button>
      }
      above={fields}
      onSave={(named) =>
        onSave({
          ...draft,
          ...named,
          patch: { ...draft.patch, panels: writePanels(shown) },
          view: { ...draft.view, panels: shown },
        })
      }
      onCancel={onCancel}
    />
  );
}

const NONE = { fields: {} };

const Which = ({ label, checked, onChoose }: { label: string; checked: boolean; onChoose(): void }) => (
  <label className="flex cursor-pointer items-center gap-2.5">
    <input type="radio" name="which" checked={checked} onChange={onChoose} className="accent-accent" />
    {label}
  </label>
);
