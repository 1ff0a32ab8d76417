"use client";

import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

interface Props {
  title: string;
  children: ReactNode;
  /** Room for two columns. */
  isWide?: boolean;
  /** Called on Escape and on a click outside. */
  onClose(): void;
}

/** A modal dialog that keeps nothing one has entered, open while it is rendered. Uses the native element: no code to load. */
export function PlainDialog({ title, children, isWide = false, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // On a phone, the keyboard or picker of a focused field would hide the rest.
    if (matchMedia("(pointer: coarse)").matches) shown?.focus();
    // Restores the focus; browsers do not when an open dialog is removed from the page.
    return () => shown?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same.
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={`card m-auto h-fit max-h-[calc(100dvh-2rem)] ${isWide ? "w-[min(41rem,calc(100vw-2rem))]" : "w-[min(26rem,calc(100vw-2rem))]"} animate-appear overflow-y-auto overscroll-contain p-0 text-ink shadow-xl outline-none backdrop:bg-black/50`}
    >
      <div className="p-5">
        <h2 id={titleId} className="text-lg font-semibold">
          {title}
        </h2>
        <div className="mt-4">{children}</div>
      </div>
    </dialog>
  );
}
