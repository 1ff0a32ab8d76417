"use client";

import * as Radix from "@radix-ui/react-dropdown-menu";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { OpenedMenuProps } from "@/components/ui/menu";
import { MenuFace, menuLook, panelLook } from "@/components/ui/menu-look";
import { MenuParts } from "@/components/ui/menu-parts";

/** A menu and its button from the first time that it is opened. */
export default function OpenedMenu({
  label,
  name,
  icon,
  align = "start",
  look = "boxed",
  children,
  byKey,
}: OpenedMenuProps) {
  const [open, setOpen] = useState(true);
  const button = useRef<HTMLButtonElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const leave = () => button.current?.focus();

  // Radix sees to that itself whenever it was there when the key was pressed.
  useEffect(() => {
    if (byKey) content.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
  }, [byKey]);

  /** From the button Tab goes on as if nothing were open, which what loses the focus is not for long. */
  function onKeyDownCapture(event: KeyboardEvent) {
    if (event.key !== "Tab") return;
    event.stopPropagation();
    leave();
  }

  return (
    <Radix.Root modal={false} open={open} onOpenChange={setOpen}>
      <Radix.Trigger ref={button} className={menuLook(look)}>
        <MenuFace {...{ label, name, icon, look }} />
      </Radix.Trigger>
      <Radix.Content
        ref={content}
        loop
        align={align}
        sideOffset={6}
        collisionPadding={16}
        onKeyDownCapture={onKeyDownCapture}
        className={`${panelLook} max-h-(--radix-dropdown-menu-content-available-height)`}
      >
        <MenuParts value={{ ...Radix, leave }}>{children}</MenuParts>
      </Radix.Content>
    </Radix.Root>
  );
}
