import type { ComponentProps, ReactNode } from "react";
import { Button } from "@/components/ui/button";

interface Props {
  /** What the button says that does it. */
  action?: string;
  /** What it says meanwhile, where that may take a while. */
  meanwhile?: string;
  look?: ComponentProps<typeof Button>["look"];
  busy: boolean;
  onCancel(): void;
  /** Another way to do it. */
  children?: ReactNode;
}

/** The last line of a dialog's form: the way out, and what submits it. */
export const DialogActions = ({ action = "Save", meanwhile = action, look, busy, onCancel, children }: Props) => (
  <div className="flex flex-wrap justify-end gap-2">
    <Button look="quiet" onClick={onCancel}>
      Cancel
    </Button>
    {children}
    <Button type="submit" look={look} disabled={busy}>
      {busy ? meanwhile : action}
    </Button>
  </div>
);
