"use client";

import type { ComponentProps, FormEvent, ReactNode } from "react";
import { Dialog } from "@/components/ui/dialog";
import { DialogActions } from "@/components/ui/dialog-actions";

interface Props
  extends Omit<ComponentProps<typeof Dialog>, "children">,
    Omit<ComponentProps<typeof DialogActions>, "children"> {
  /** The fields of the form. */
  children: ReactNode;
  /** Additional buttons. */
  buttons?: ReactNode;
  /** @param submitter the pressed button */
  onSubmit(data: FormData, submitter: HTMLElement | null): unknown;
}

/** A dialog with a form and its cancel and submit buttons. */
export function FormDialog({ action, busyAction, look, busy, children, buttons, onSubmit, ...dialog }: Props) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The dialog may be inside a form in the component tree: do not submit that one.
    event.stopPropagation();
    onSubmit(new FormData(event.currentTarget), (event.nativeEvent as SubmitEvent).submitter);
  }

  return (
    <Dialog {...dialog}>
      <form onSubmit={submit} noValidate className="space-y-4">
        {children}
        <DialogActions {...{ action, busyAction, look, busy }} onCancel={dialog.onCancel}>
          {buttons}
        </DialogActions>
      </form>
    </Dialog>
  );
}
