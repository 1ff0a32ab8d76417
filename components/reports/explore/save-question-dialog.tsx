"use client";

import { useAction } from "@/components/actions/actions";
import type { ActionInput } from "@/components/actions/typed";
import type { SavableView, SavedDashboard } from "@/components/reports/dashboard-picker";
import { SaveDialog } from "@/components/reports/save-dialog";
import { Dialog } from "@/components/ui/dialog";
import { t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  /** The saved question that was opened; null for a new one. */
  saved: SavedDashboard | null;
  saving: SavableView;
  onSaved(id: string): void;
  onCancel(): void;
}

/** Dialog to save the question of Explore under a name. */
export default function SaveQuestionDialog({ siteId, saved, saving, onSaved, onCancel }: Props) {
  const { perform, busy, problems } = useAction("sites.dashboards.save", { fields: ["name"] });
  const { stored } = saving;
  if (!stored)
    return (
      <Dialog title={t("Save this question")} problems={NONE} onCancel={onCancel}>
        <p className="text-sm text-muted">
          {t(
            "To save this question, remove the segment or a filter: they filter the same dimension by different values.",
          )}
        </p>
      </Dialog>
    );

  async function save(named: { id: string | null; name: string }) {
    const done = await perform({ ...stored, ...named, site_id: siteId } as ActionInput<"sites.dashboards.save">);
    if (done) onSaved(done.id);
  }

  return (
    <SaveDialog
      saved={saved}
      title={saved ? t("Save {name}", { name: saved.name }) : t("Save this question")}
      about={t("Everyone with access to the site can open it. Also saved: {parts}.", {
        parts: saving.words.join(", "),
      })}
      problems={problems}
      busy={busy}
      onSave={save}
      onCancel={onCancel}
    />
  );
}

const NONE = { fields: {} };
