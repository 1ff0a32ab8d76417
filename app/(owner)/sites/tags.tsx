"use client";

import { Tag } from "lucide-react";
import { useState } from "react";
import { lazyDialog } from "@/components/ui/lazy";
import { t } from "@/lib/texts/translate";

const TagsDialog = lazyDialog(() => import("./tags-dialog"));

export interface TagsOfSite {
  siteId: number;
  title: string;
  tags: readonly string[];
  /** All tags of the person, to choose from. */
  known: readonly string[];
}

/** Button that changes the reader's own tags of a site. Placed above the link that covers the card. */
export function Tags({ siteId, title, tags, known }: TagsOfSite) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={t("Tags of {site}", { site: title })}
        title={t("Tags")}
        onClick={() => setOpen(true)}
        className="relative z-10 -mt-1 grid size-8 shrink-0 place-items-center rounded-lg text-muted transition-opacity hover:bg-sunken hover:text-ink pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100 pointer-fine:focus-visible:opacity-100"
      >
        <Tag className="size-4" />
      </button>
      {isOpen && <TagsDialog siteId={siteId} title={title} tags={tags} known={known} onClose={() => setOpen(false)} />}
    </>
  );
}
