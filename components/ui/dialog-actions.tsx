import type { ComponentProps, ReactNode } from "react";
import { Button } from "@/components/ui/button";

interface Props {
  /** Label of the submit button. */
  action?: string;
  /** Label of the submit button while busy. */
  busyAction?: string;
  look?: ComponentProps<typeof Button>["look"];
  busy: boolean;
  onCancel(): void;
  /** Additional buttons. */
  children?: ReactNode;
}

/** The last line of a dialog's form: the cancel and submit buttons. */
export const DialogActions = ({ action = "Save", busyAction = action, look, busy, onCancel, children }: Props) => (
  <div className="flex flex-wrap justify-end gap-2">
    <Button look="quiet" onClick={onCancel}>
      Cancel
    </Button>
    {children}
    <Button type="submit" look={look} disabled={busy}>
      {busy ? busyAction : action}
    </Button>
  </div>
);
