"use client";

import type { KeyboardEvent, ReactNode } from "react";
import { ClosedPanel } from "@/components/ui/closed-panel";
import { late, useLate } from "@/components/ui/late";
import type { PanelProps } from "@/components/ui/menu-look";

export interface PopupProps extends PanelProps {
  align?: "start" | "end";
  children: (close: () => void) => ReactNode;
}

const opened = late<PopupProps>(() => import("@/components/ui/opened-popup"));

/** Like a menu, for what a menu may not hold, such as a form. The current link has the focus first, and arrows walk the links. */
export function Popup(props: PopupProps) {
  const [Opened, open, prepare] = useLate(opened);

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
        <ClosedPanel face={props} opens="dialog" onNear={prepare} onClick={open} onKeyDown={onKeyDown} />
      )}
    </div>
  );
}
