"use client";

import * as Radix from "@radix-ui/react-dropdown-menu";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { OpenedMenuProps } from "@/components/ui/menu";
import { MenuFace, menuLook, panelLook } from "@/components/ui/menu-look";
import { MenuParts } from "@/components/ui/menu-parts";

/** A menu and its button, once it has been opened. */
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
  const focusButton = () => button.current?.focus();

  // Radix does this itself for later key presses; it was not loaded yet at the first one.
  useEffect(() => {
    if (byKey) content.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
  }, [byKey]);

  /** Tab moves the focus to the button and then on to the next element, as if no menu were open. */
  function onKeyDownCapture(event: KeyboardEvent) {
    if (event.key !== "Tab") return;
    event.stopPropagation();
    focusButton();
  }

  return (
    <Radix.Root modal={false} open={open} onOpenChange={setOpen}>
      <Radix.Trigger ref={button} className={menuLook(look)}>
        <MenuFace label={label} name={name} icon={icon} look={look} />
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
        <MenuParts value={{ ...Radix, focusButton }}>{children}</MenuParts>
      </Radix.Content>
    </Radix.Root>
  );
}
