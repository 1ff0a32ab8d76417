"use client";

import type { ReactNode } from "react";
import { Confirm } from "@/components/ui/confirm";

interface Props {
  saved: { name: string };
  /** What is deleted, or what the deletion affects. */
  children: ReactNode;
  onYes(): void;
  onCancel(): void;
}

/** Confirmation before a saved object is deleted for the whole site. */
const DeleteSaved = ({ saved, children, onYes, onCancel }: Props) => (
  <Confirm title={`Delete ${saved.name}?`} action="Delete" busy={false} onYes={onYes} onNo={onCancel}>
    <p className="break-words">{children}</p>
  </Confirm>
);
export default DeleteSaved;
