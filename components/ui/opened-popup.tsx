"use client";

import { Content, Root, Trigger } from "@radix-ui/react-popover";
import { type KeyboardEvent, useRef, useState } from "react";
import { MenuFace, menuLook, panelLook } from "@/components/ui/menu-look";
import type { PopupProps } from "@/components/ui/popup";

/** A popup and its button, once it has been opened. */
export default function OpenedPopup({ label, name, icon, align = "start", look = "boxed", children }: PopupProps) {
  const [open, setOpen] = useState(true);
  const panel = useRef<HTMLDivElement>(null);
  const links = () => [...(panel.current?.querySelectorAll<HTMLElement>("a[href]") ?? [])];

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    const all = links();
    const index = all.indexOf(document.activeElement as HTMLElement);
    all[index < 0 && step < 0 ? all.length - 1 : (index + step + all.length) % all.length]?.focus();
  }

  return (
    <Root open={open} onOpenChange={setOpen}>
      <Trigger
        className={menuLook(look)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <MenuFace label={label} name={name} icon={icon} look={look} />
      </Trigger>
      <Content
        ref={panel}
        aria-label={name}
        align={align}
        sideOffset={6}
        collisionPadding={16}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          (links().find((link) => link.ariaCurrent === "true") ?? panel.current)?.focus({ preventScroll: true });
        }}
        onKeyDown={onKeyDown}
        className={`${panelLook} max-h-(--radix-popover-content-available-height)`}
      >
        {children(() => setOpen(false))}
      </Content>
    </Root>
  );
}
