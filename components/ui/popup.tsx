"use client";

import type { KeyboardEvent, ReactNode } from "react";
import { ClosedPanel } from "@/components/ui/closed-panel";
import { lazyComponent, useLazyComponent } from "@/components/ui/lazy";
import type { PanelProps } from "@/components/ui/menu-look";

export interface PopupProps extends PanelProps {
  align?: "start" | "end";
  children: (close: () => void) => ReactNode;
}

const opened = lazyComponent<PopupProps>(() => import("@/components/ui/opened-popup"));

/** Like a menu, for content that a menu may not contain. Focuses the current link; arrow keys move between links. */
export function Popup(props: PopupProps) {
  const [Opened, open, preload] = useLazyComponent(opened);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open();
  }

  return (
    <div className="min-w-0">
      {Opened ? (
        <Opened {...props} />
      ) : (
        <ClosedPanel face={props} opens="dialog" onNear={preload} onClick={open} onKeyDown={onKeyDown} />
      )}
    </div>
  );
}
