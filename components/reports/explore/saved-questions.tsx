"use client";

import { Bookmark } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useRemoval } from "@/components/actions/removal";
import type { SavableView, SavedDashboard } from "@/components/reports/dashboard-picker";
import { DeleteSaved } from "@/components/reports/delete-saved";
import { ChosenName, SavedChoices } from "@/components/reports/saved-choices";
import { useGo } from "@/components/reports/view-frame";
import { lazyDialog } from "@/components/ui/lazy";
import { Menu, MenuAction, MenuEnd } from "@/components/ui/menu";
import { t } from "@/lib/texts/translate";

const SaveQuestionDialog = lazyDialog(() => import("@/components/reports/explore/save-question-dialog"));

interface Props {
  siteId: number;
  /** The saved questions. */
  questions: SavedDashboard[];
  /** Id of the one that was opened. */
  current: string | null;
  saving: SavableView;
  /** Whether the reader can change them. */
  manages: boolean;
}

/** The saved questions of Explore as a menu, and the dialogs that save and delete one. */
export function SavedQuestions({ siteId, questions, current, saving, manages }: Props) {
  const [open, setOpen] = useState<"save" | "delete" | null>(null);
  const go = useGo();
  const router = useRouter();
  const { shown, remove } = useRemoval<SavedDashboard, "sites.dashboards.delete">(
    "sites.dashboards.delete",
    questions,
    ({ id }) => id,
    ({ id }) => ({ site_id: siteId, id }),
  );
  const chosen = shown.find(({ id }) => id === current) ?? null;
  const close = () => setOpen(null);
  if (shown.length === 0 && !manages) return null;
  return (
    <>
      {shown.length === 0 ? (
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpen("save")}
          className="flex h-9 items-center gap-2 rounded-lg border border-line-strong bg-surface px-3 text-sm hover:bg-sunken"
        >
          <Bookmark className="size-4" /> {t("Save")}
        </button>
      ) : (
        <Menu
          name={t("Saved questions")}
          icon={<Bookmark className="size-4 text-muted" />}
          label={<ChosenName chosen={chosen} none={t("Saved questions")} />}
          align="end"
        >
          <SavedChoices chosen={chosen?.id ?? ""} choices={shown} />
          {manages && (
            <MenuEnd>
              <MenuAction onPress={() => setOpen("save")}>{t("Save this question…")}</MenuAction>
              {chosen && (
                <MenuAction onPress={() => setOpen("delete")}>{t("Delete {name}…", { name: chosen.name })}</MenuAction>
              )}
            </MenuEnd>
          )}
        </Menu>
      )}
      {open === "save" && (
        <SaveQuestionDialog
          siteId={siteId}
          saved={chosen}
          saving={saving}
          onSaved={(id) => {
            close();
            go({ ...saving.patch, opened: id });
            router.refresh();
          }}
          onCancel={close}
        />
      )}
      {open === "delete" && chosen && (
        <DeleteSaved
          saved={chosen}
          onDelete={async () => {
            if (await remove(chosen)) go({ opened: null });
          }}
          onClose={close}
        >
          {t("Existing links keep working. No analytics data is deleted.")}
        </DeleteSaved>
      )}
    </>
  );
}
