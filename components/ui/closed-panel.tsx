"use client";

import type { ComponentProps } from "react";
import { MenuFace, menuLook, type PanelProps } from "@/components/ui/menu-look";

type Handlers = Pick<ComponentProps<"button">, "onPointerDown" | "onClick" | "onKeyDown">;

interface Props extends Handlers {
  face: PanelProps;
  /** What it opens. */
  opens: "menu" | "dialog";
  /** Called on hover and on focus, to preload the panel's code. */
  onNear(): void;
}

/** The button of a panel whose code is not loaded yet. The loaded panel renders its own button. */
export function ClosedPanel({ face: { label, name, icon, look = "boxed" }, opens, onNear, ...handlers }: Props) {
  return (
    <button
      type="button"
      aria-haspopup={opens}
      aria-expanded={false}
      onPointerEnter={onNear}
      onFocus={onNear}
      {...handlers}
      className={menuLook(look)}
    >
      <MenuFace label={label} name={name} icon={icon} look={look} />
    </button>
  );
}
