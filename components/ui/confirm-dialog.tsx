"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { t } from "@/lib/texts/translate";

interface Props {
  title: string;
  children: ReactNode;
  /** Label of the confirm button. */
  action: string;
  busy: boolean;
  problem?: string | undefined;
  onYes(): void;
  onCancel(): void;
}

/** Cancel comes first and has the focus. */
const ConfirmDialog = ({ title, children, action, busy, problem, onYes, onCancel }: Props) => (
  <Dialog title={title} about={children} problems={{ fields: {}, message: problem }} onCancel={onCancel}>
    <div className="flex justify-end gap-2">
      <Button look="quiet" onClick={onCancel}>
        {t("Cancel")}
      </Button>
      <Button look="danger" disabled={busy} onClick={onYes}>
        {busy ? t("One moment…") : action}
      </Button>
    </div>
  </Dialog>
);
export default ConfirmDialog;
