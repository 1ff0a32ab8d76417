"use client";

import { Share2 } from "lucide-react";
import { useState } from "react";
import type { ShareProps } from "@/components/reports/share-dialog";
import { lazyDialog } from "@/components/ui/lazy";
import { t } from "@/lib/texts/translate";

const ShareDialog = lazyDialog(() => import("@/components/reports/share-dialog"));

/** Button for a link to this view that works without an account. @param props.brief shows only its icon */
export function ShareView({ brief, ...props }: ShareProps & { brief?: true }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        title={t("Share this view")}
        aria-label={t("Share this view")}
        onClick={() => setOpen(true)}
        className={
          brief
            ? "grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
            : "flex h-9 items-center gap-2 rounded-lg border border-line-strong bg-surface px-3 text-sm hover:bg-sunken"
        }
      >
        <Share2 className="size-4" />
        {!brief && t("Share")}
      </button>
      {open && <ShareDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
