"use client";

import * as Radix from "@radix-ui/react-dropdown-menu";
import { createContext, type KeyboardEvent, type ReactElement, type ReactNode, use, useRef, useState } from "react";
import { MenuFace, menuLook, panelLook } from "@/components/ui/menu-look";

interface Props {
  /** What the button shows. */
  label: ReactNode;
  /** What a screen reader says before the label, such as "Period". */
  name: string;
  icon?: ReactNode;
  align?: "start" | "end";
  look?: "boxed" | "bare";
  /** `MenuItem`, `MenuChoices`, `MenuAction`. */
  children: ReactNode;
}

/** Gives the focus to the menu's button. */
const Leave = createContext<() => void>(() => {});

/** A button that opens a menu. Arrows and letters walk its items; Esc, a press elsewhere, or leaving with Tab closes it. */
export function Menu({ label, name, icon, align = "start", look = "boxed", children }: Props) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const leave = () => button.current?.focus();

  /** From the button Tab goes on as if nothing were open, which what loses the focus is not for long. */
  function onKeyDownCapture(event: KeyboardEvent) {
    if (event.key !== "Tab") return;
    event.stopPropagation();
    leave();
  }

  return (
    <div className="min-w-0">
      <Radix.Root modal={false} open={open} onOpenChange={setOpen}>
        <Radix.Trigger ref={button} className={menuLook(look)}>
          <MenuFace {...{ label, name, icon, look }} />
        </Radix.Trigger>
        <Radix.Content
          loop
          align={align}
          sideOffset={6}
          collisionPadding={16}
          onKeyDownCapture={onKeyDownCapture}
          className={`${panelLook} max-h-(--radix-dropdown-menu-content-available-height)`}
        >
          <Leave value={leave}>{children}</Leave>
        </Radix.Content>
      </Radix.Root>
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
export const MenuItem = ({ children, className = "" }: ItemProps) => (
  <Radix.Item asChild className={`${menuItem} ${className}`}>
    {children}
  </Radix.Item>
);

/** Items of which one is chosen. */
export const MenuChoices = ({ chosen, children }: { chosen: string; children: ReactNode }) => (
  <Radix.RadioGroup value={chosen}>{children}</Radix.RadioGroup>
);

export const MenuChoice = ({ value, children }: { value: string; children: ReactElement }) => (
  <Radix.RadioItem asChild value={value} className={menuItem}>
    {children}
  </Radix.RadioItem>
);

/** What stands below the items of a menu. */
export const MenuEnd = ({ children }: { children: ReactNode }) => (
  <div className="mt-1.5 border-t border-line pt-1.5">{children}</div>
);

/** Opens a dialog about what the menu offers; in the end it gives the focus back to the menu's button. */
export function MenuAction({ onPress, children }: { onPress(): void; children: ReactNode }) {
  const leave = use(Leave);
  return (
    <Radix.Item asChild onSelect={leave}>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onPress}
        className={`${menuItem} text-muted hover:text-ink`}
      >
        <span className="truncate">{children}</span>
      </button>
    </Radix.Item>
  );
}
