"use client";

import { type KeyboardEvent, type PointerEvent, type ReactElement, type ReactNode, useState } from "react";
import { ClosedPanel } from "@/components/ui/closed-panel";
import { late, useLate } from "@/components/ui/late";
import type { PanelProps } from "@/components/ui/menu-look";
import { useMenuParts } from "@/components/ui/menu-parts";

export interface MenuProps extends PanelProps {
  align?: "start" | "end";
  /** `MenuItem`, `MenuChoices`, `MenuAction`. */
  children: ReactNode;
}

export interface OpenedMenuProps extends MenuProps {
  /** Whether it was a key that opened it first. */
  byKey: boolean;
}

const opened = late<OpenedMenuProps>(() => import("@/components/ui/opened-menu"));

/** A button that opens a menu. Arrows and letters walk its items; Esc, a press elsewhere, or leaving with Tab closes it. */
export function Menu(props: MenuProps) {
  const [Opened, open, prepare] = useLate(opened);
  const [byKey, setByKey] = useState(false);

  function onPointerDown(event: PointerEvent) {
    if (event.button !== 0 || event.ctrlKey) return;
    // The button does not take the focus, which goes to the menu.
    event.preventDefault();
    open();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!["Enter", " ", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    setByKey(true);
    open();
  }

  return (
    <div className="min-w-0">
      {Opened ? (
        <Opened {...props} byKey={byKey} />
      ) : (
        <ClosedPanel face={props} opens="menu" onNear={prepare} {...{ onPointerDown, onKeyDown }} />
      )}
    </div>
  );
}

export const menuItem =
  "flex w-full items-center justify-between gap-4 rounded-md px-2.5 py-1.5 text-left text-sm whitespace-nowrap -outline-offset-2 hover:bg-sunken data-highlighted:bg-sunken aria-[current]:font-semibold aria-checked:font-semibold";

interface ItemProps {
  /** A link or a button. */
  children: ReactElement;
  className?: string;
}

/** Goes somewhere, or does something, and closes the menu. */
export function MenuItem({ children, className = "" }: ItemProps) {
  const { Item } = useMenuParts();
  return (
    <Item asChild className={`${menuItem} ${className}`}>
      {children}
    </Item>
  );
}

/** Items of which one is chosen. */
export function MenuChoices({ chosen, children }: { chosen: string; children: ReactNode }) {
  const { RadioGroup } = useMenuParts();
  return <RadioGroup value={chosen}>{children}</RadioGroup>;
}

export function MenuChoice({ value, children }: { value: string; children: ReactElement }) {
  const { RadioItem } = useMenuParts();
  return (
    <RadioItem asChild value={value} className={menuItem}>
      {children}
    </RadioItem>
  );
}

/** What stands below the items of a menu. */
export const MenuEnd = ({ children }: { children: ReactNode }) => (
  <div className="mt-1.5 border-t border-line pt-1.5">{children}</div>
);

/** Opens a dialog about what the menu offers; in the end it gives the focus back to the menu's button. */
export function MenuAction({ onPress, children }: { onPress(): void; children: ReactNode }) {
  const { Item, leave } = useMenuParts();
  return (
    <Item asChild onSelect={leave}>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onPress}
        className={`${menuItem} text-muted hover:text-ink`}
      >
        <span className="truncate">{children}</span>
      </button>
    </Item>
  );
}
