"use client";

import type { ReactNode } from "react";
import { Confirm } from "@/components/ui/confirm";
import { t } from "@/lib/texts/translate";

interface Props {
  saved: { name: string };
  /** What is deleted, or what the deletion affects. */
  children: ReactNode;
  /** Called after `onClose`. */
  onDelete(): unknown;
  onClose(): void;
}

/** Confirmation before a saved object is deleted for the whole site. */
export const DeleteSaved = ({ saved, children, onDelete, onClose }: Props) => (
  <Confirm
    title={t("Delete {name}?", { name: saved.name })}
    action={t("Delete")}
    busy={false}
    onYes={() => {
      onClose();
      onDelete();
    }}
    onCancel={onClose}
  >
    <p className="break-words">{children}</p>
  </Confirm>
);
