"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { useShortcut } from "@/components/reports/shortcuts";
import { isCovered } from "@/components/ui/covered";
import { Search } from "@/components/ui/icons";
import { lateDialog } from "@/components/ui/late";
import type { Role } from "@/lib/contract/vocabulary";

const PaletteDialog = lateDialog(
  () => import("@/components/shell/palette-dialog"),
  ({ onClose }) => onClose(),
);

export interface PaletteSite {
  siteId: number;
  label: string;
  role: Role;
}

/** Goes to any site, report or setting by a few letters of its name: Ctrl or Cmd K, or `/`. */
export function CommandPalette({ sites }: { sites: PaletteSite[] }) {
  const [open, setOpen] = useState(false);
  const openId = Number(/^\/sites\/(\d+)/.exec(usePathname())?.[1]);
  useShortcut("/", () => setOpen(true));

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (!isCovered()) setOpen(true);
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label="Go to"
        title="Go to a site, a report or a setting (Ctrl K)"
        onClick={() => setOpen(true)}
        className="grid size-9 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
      >
        <Search className="size-[1.125rem]" />
      </button>
      {open && <PaletteDialog sites={sites} openId={openId} onClose={() => setOpen(false)} />}
    </>
  );
}
