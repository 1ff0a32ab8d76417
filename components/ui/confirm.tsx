"use client";

import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

interface Props {
  title: string;
  children: ReactNode;
  /** What the button says that does it. */
  action: string;
  busy: boolean;
  problem?: string | undefined;
  onYes(): void;
  onNo(): void;
}

/** Asks once more before something that cannot be taken back. The way out has the focus. */
export function Confirm({ title, children, action, busy, problem, onYes, onNo }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={onNo}
      className="card m-auto w-[min(26rem,calc(100vw-2rem))] p-5 text-ink shadow-xl backdrop:bg-black/50"
    >
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      <div className="mt-1 mb-4 space-y-2 text-sm text-muted">{children}</div>
      {problem && (
        <div className="mb-4">
          <Notice>{problem}</Notice>
        </div>
      )}
      <div className="flex justify-end gap-2">
        <Button look="quiet" autoFocus onClick={onNo}>
          Cancel
        </Button>
        <Button look="danger" disabled={busy} onClick={onYes}>
          {busy ? "One moment…" : action}
        </Button>
      </div>
    </dialog>
  );
}
