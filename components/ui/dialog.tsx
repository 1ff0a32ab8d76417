"use client";

import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
import type { FormProblems } from "@/components/ui/form-problems";
import { Notice } from "@/components/ui/notice";

interface Props {
  title: string;
  about?: ReactNode;
  /** As for a table. */
  wide?: boolean;
  problems: FormProblems;
  children: ReactNode;
  /** Someone pressed Escape. */
  onCancel(): void;
}

/** Stands above the page for as long as it is rendered. The field with a problem has the focus; in the end, the opener. */
export function Dialog({ title, about, wide = false, problems, children, onCancel }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closed while it is still in the page, it gives the focus back to what had it before; just removed, it does not.
    return () => element?.close();
  }, []);

  useEffect(() => {
    if (Object.keys(problems.fields).length === 0) return;
    dialog.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={onCancel}
      className={`card m-auto p-5 text-ink shadow-xl backdrop:bg-black/50 ${wide ? "w-[min(52rem,calc(100vw-2rem))]" : "w-[min(26rem,calc(100vw-2rem))]"}`}
    >
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {about && <div className="mt-1 space-y-2 text-sm text-muted">{about}</div>}
      {problems.message && (
        <div className="mt-4">
          <Notice>{problems.message}</Notice>
        </div>
      )}
      <div className="mt-4">{children}</div>
    </dialog>
  );
}
