"use client";

import { Content, Description, Overlay, Portal, Root, Title } from "@radix-ui/react-dialog";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { keepFocus } from "@/components/ui/focus";
import type { FormProblems } from "@/components/ui/form-problems";
import { Notice } from "@/components/ui/notice";

interface Props {
  title: string;
  about?: ReactNode;
  /** Wide enough for a table, or for one with many columns. */
  wide?: boolean | "most";
  /** A click outside closes it. Only for dialogs without unsaved input. */
  light?: boolean;
  problems: FormProblems;
  /** The element to focus first; by default the first focusable one. */
  first?: RefObject<HTMLElement | null> | undefined;
  children: ReactNode;
  /** Called on Escape. */
  onCancel(): void;
}

const WIDTHS = {
  most: "w-[min(80rem,calc(100vw-2rem))]",
  true: "w-[min(60rem,calc(100vw-2rem))]",
  false: "w-[min(26rem,calc(100vw-2rem))]",
};

/** A modal dialog, open while it is rendered. Focuses the first invalid field, and the opener again when it closes. */
export function Dialog({ title, about, wide = false, light, problems, first, children, onCancel }: Props) {
  const content = useRef<HTMLDivElement>(null);
  const restoreFocus = useFocusRestore();

  useEffect(() => {
    if (Object.keys(problems.fields).length === 0) return;
    content.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  return (
    <Root open onOpenChange={() => onCancel()}>
      <Portal>
        <Overlay className="fixed inset-0 z-40 animate-appear bg-black/50 print:hidden" />
        <Content
          ref={content}
          onOpenAutoFocus={(event) => {
            if (!first?.current) return;
            event.preventDefault();
            first.current.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            restoreFocus();
          }}
          onInteractOutside={(event) => light || event.preventDefault()}
          {...(about ? {} : { "aria-describedby": undefined })}
          className={`card fixed inset-0 z-40 m-auto h-fit max-h-[calc(100dvh-2rem)] animate-appear overflow-y-auto overscroll-contain p-5 shadow-xl outline-none ${WIDTHS[`${wide}`]}`}
        >
          <Title className="text-lg font-semibold">{title}</Title>
          {about && (
            <Description asChild>
              <div className="mt-1 space-y-2 text-sm text-muted">{about}</div>
            </Description>
          )}
          {problems.message && (
            <div className="mt-4">
              <Notice>{problems.message}</Notice>
            </div>
          )}
          <div className="mt-4">{children}</div>
        </Content>
      </Portal>
    </Root>
  );
}

/** Returns the focus from the dialog that has just closed, until it has done so. */
let lastReturn: (() => void) | null = null;

/** Returns a function that restores the focus to the element that had it, unless another element has it by now. */
function useFocusRestore(): () => void {
  const restore = useRef<(() => void) | null>(null);

  useLayoutEffect(() => {
    const active = document.activeElement;
    // A dialog that replaces another one returns the focus to the opener of the first.
    restore.current = active && active !== document.body ? keepFocus(active) : lastReturn;
    return () => {
      lastReturn = restore.current;
    };
  }, []);

  return () => {
    lastReturn = null;
    restore.current?.();
  };
}
