"use client";

import { Content, Root, Trigger } from "@radix-ui/react-popover";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { MenuFace, menuLook, panelLook } from "@/components/ui/menu-look";

interface Props {
  /** What the button shows. */
  label: ReactNode;
  /** What a screen reader says before the label, such as "Period". */
  name: string;
  icon?: ReactNode;
  align?: "start" | "end";
  children: (close: () => void) => ReactNode;
}

/** Like a menu, for what a menu may not hold, such as a form. The current link has the focus first, and arrows walk the links. */
export function Popup({ label, name, icon, align = "start", children }: Props) {
  const [open, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const links = () => [...(panel.current?.querySelectorAll<HTMLElement>("a[href]") ?? [])];

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    const all = links();
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length]?.focus();
  }

  return (
    <div className="min-w-0">
      <Root open={open} onOpenChange={setOpen}>
        <Trigger
          className={menuLook("boxed")}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
            event.preventDefault();
            setOpen(true);
          }}
        >
          <MenuFace {...{ label, name, icon }} look="boxed" />
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
    </div>
  );
}
