"use client";

import { useAction } from "@/components/actions/actions";
import type { ActionInput } from "@/components/actions/typed";
import type { SavableView, SavedDashboard } from "@/components/reports/dashboard-picker";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
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

  async function submit(typed: FormData, submitter: HTMLElement | null) {
    const isAnother = submitter?.getAttribute("value") === "another";
    const done = await perform({
      ...stored,
      site_id: siteId,
      id: isAnother ? null : (saved?.id ?? null),
      name: String(typed.get("name")),
    } as ActionInput<"sites.dashboards.save">);
    if (done) onSaved(done.id);
  }

  return (
    <FormDialog
      title={saved ? t("Save {name}", { name: saved.name }) : t("Save this question")}
      about={t("Everyone with access to the site can open it. Also saved: {parts}.", {
        parts: saving.words.join(", "),
      })}
      problems={problems}
      busy={busy}
      buttons={
        saved && (
          <Button type="submit" value="another" look="quiet" disabled={busy}>
            {t("Save as new")}
          </Button>
        )
      }
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Field
        label={t("Name")}
        name="name"
        defaultValue={saved?.name}
        autoComplete="off"
        maxLength={191}
        problem={problems.fields.name}
      />
    </FormDialog>
  );
}

const NONE = { fields: {} };
