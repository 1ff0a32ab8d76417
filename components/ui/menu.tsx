"use client";

import { type KeyboardEvent, type PointerEvent, type ReactElement, type ReactNode, useState } from "react";
import { ClosedPanel } from "@/components/ui/closed-panel";
import { lazyComponent, useLazyComponent } from "@/components/ui/lazy";
import type { PanelProps } from "@/components/ui/menu-look";
import { useMenuParts } from "@/components/ui/menu-parts";

interface MenuProps extends PanelProps {
  align?: "start" | "end";
  /** `MenuItem`, `MenuChoices`, `MenuAction`. */
  children: ReactNode;
}

export interface OpenedMenuProps extends MenuProps {
  /** Whether a key opened it the first time. */
  byKey: boolean;
}

const opened = lazyComponent<OpenedMenuProps>(() => import("@/components/ui/opened-menu"));

/** A button that opens a menu. Arrow keys and letters move between items; Esc, a click outside or Tab closes it. */
export function Menu(props: MenuProps) {
  const [Opened, open, preload] = useLazyComponent(opened);
  const [byKey, setByKey] = useState(false);

  function onPointerDown(event: PointerEvent) {
    if (event.button !== 0 || event.ctrlKey) return;
    // The focus goes to the menu, not to the button.
    event.preventDefault();
    open();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!/^(Enter| |ArrowDown)$/.test(event.key)) return;
    event.preventDefault();
    setByKey(true);
    open();
  }

  return (
    <div className="min-w-0">
      {Opened ? (
        <Opened {...props} byKey={byKey} />
      ) : (
        <ClosedPanel face={props} opens="menu" onNear={preload} onPointerDown={onPointerDown} onKeyDown={onKeyDown} />
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

/** A link or button of a menu; it closes the menu. */
export function MenuItem({ children, className = "" }: ItemProps) {
  const { Item } = useMenuParts();
  return (
    <Item asChild className={`${menuItem} ${className}`}>
      {children}
    </Item>
  );
}

/** A radio group of items. */
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

/** The last part of a menu, below a line. */
export const MenuEnd = ({ children }: { children: ReactNode }) => (
  <div className="mt-1.5 border-t border-line pt-1.5">{children}</div>
);

/** A menu item that opens a dialog. The focus returns to the menu's button when the dialog closes. */
export function MenuAction({ onPress, children }: { onPress(): void; children: ReactNode }) {
  const { Item, focusButton } = useMenuParts();
  return (
    <Item asChild onSelect={focusButton}>
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
