"use client";

import type { ComponentProps, FormEvent, ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { t } from "@/lib/texts/translate";

interface Props extends ComponentProps<typeof Dialog> {
  /** Label of the submit button, and while busy. */
  action?: string;
  busyAction?: string;
  look?: ComponentProps<typeof Button>["look"];
  busy: boolean;
  /** Additional buttons. */
  buttons?: ReactNode;
  onSubmit(data: FormData): unknown;
}

/** A dialog with a form and its cancel and submit buttons. */
export function FormDialog({ action = t("Save"), busyAction = action, look, busy, ...props }: Props) {
  const { children, buttons, onSubmit, ...dialog } = props;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The dialog may be inside a form in the component tree: do not submit that one.
    event.stopPropagation();
    onSubmit(new FormData(event.currentTarget));
  }

  return (
    <Dialog {...dialog}>
      <form onSubmit={submit} noValidate className="space-y-4">
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="quiet" onClick={dialog.onCancel}>
            {t("Cancel")}
          </Button>
          {buttons}
          <Button type="submit" look={look} disabled={busy}>
            {busy ? busyAction : action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
