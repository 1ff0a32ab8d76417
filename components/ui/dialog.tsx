"use client";

import { Content, Description, Overlay, Portal, Root, Title } from "@radix-ui/react-dialog";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { FormProblems } from "@/components/ui/form-problems";
import { Notice } from "@/components/ui/notice";

interface Props {
  title: string;
  about?: ReactNode;
  /** As for a table. */
  wide?: boolean;
  /** A press beside it closes it: nothing that was typed is lost by that. */
  light?: boolean;
  problems: FormProblems;
  /** What has the focus first; what can have it and comes first, where nothing is named. */
  first?: RefObject<HTMLElement | null> | undefined;
  children: ReactNode;
  /** Someone pressed Escape. */
  onCancel(): void;
}

/** Stands above the page for as long as it is rendered. The field with a problem has the focus; in the end, the opener. */
export function Dialog({ title, about, wide, light, problems, first, children, onCancel }: Props) {
  const content = useRef<HTMLDivElement>(null);
  const giveFocusBack = useOpener();

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
            giveFocusBack();
          }}
          onInteractOutside={(event) => light || event.preventDefault()}
          {...(about ? {} : { "aria-describedby": undefined })}
          className={`card fixed inset-0 z-40 m-auto h-fit max-h-[calc(100dvh-2rem)] animate-appear overflow-y-auto overscroll-contain p-5 shadow-xl outline-none ${wide ? "w-[min(52rem,calc(100vw-2rem))]" : "w-[min(26rem,calc(100vw-2rem))]"}`}
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

/** The opener of the dialog that has just gone, for as long as it waits for the focus. */
let waiting: HTMLElement | null = null;

/** @returns gives the focus back to what had it before, unless something else took it meanwhile. */
function useOpener(): () => void {
  const opener = useRef<HTMLElement>(null);

  useLayoutEffect(() => {
    const active = document.activeElement;
    // A dialog that comes in the place of another leads back to where that one was opened.
    opener.current = active instanceof HTMLElement && active !== document.body ? active : waiting;
    return () => {
      waiting = opener.current;
    };
  }, []);

  return () => {
    waiting = null;
    if (document.activeElement === document.body) opener.current?.focus();
  };
}
