"use client";

import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useShortcut } from "@/components/reports/shortcuts";
import type { SiteLink } from "@/components/shell/open-site";
import type { SettingsRoles } from "@/components/shell/settings-pages";
import { lazyDialog } from "@/components/ui/lazy";
import { hasOpenOverlay } from "@/components/ui/overlays";
import { t } from "@/lib/texts/translate";

const PaletteDialog = lazyDialog(() => import("@/components/shell/palette-dialog"));

interface Props {
  sites: SiteLink[];
  /** Number of all sites. */
  total: number;
  /** Who sees which settings page. */
  settings: SettingsRoles;
  /** Whether the reader administers the service. */
  runsService: boolean;
}

/** Button for the command palette, which opens any site, report or setting by name. Keys: Ctrl/Cmd K and `/`. */
export function CommandPalette(props: Props) {
  const [open, setOpen] = useState(false);
  useShortcut("/", () => setOpen(true));

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (!hasOpenOverlay()) setOpen(true);
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
        aria-label={t("Go to")}
        title={t("Go to a site, a report or a setting (Ctrl K)")}
        onClick={() => setOpen(true)}
        className="grid size-9 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
      >
        <Search className="size-[1.125rem]" />
      </button>
      {open && <PaletteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
