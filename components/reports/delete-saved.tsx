"use client";

import type { ReactNode } from "react";
import { Confirm } from "@/components/ui/confirm";

interface Props {
  saved: { name: string };
  /** What is lost by it, and what is not. */
  children: ReactNode;
  onYes(): void;
  onCancel(): void;
}

/** Asks before something saved is deleted for everybody of the site. */
const DeleteSaved = ({ saved, children, onYes, onCancel }: Props) => (
  <Confirm title={`Delete ${saved.name}?`} action="Delete" busy={false} onYes={onYes} onNo={onCancel}>
    <p>{children}</p>
  </Confirm>
);
export default DeleteSaved;
