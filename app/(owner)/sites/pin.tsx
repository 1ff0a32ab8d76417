"use client";

import { Pin as PinIcon } from "lucide-react";
import { useToggle } from "@/components/actions/actions";
import { t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  title: string;
  pinned: boolean;
}

/** Button that pins a site to the top of the reader's list. Placed above the link that covers the card. */
export function Pin({ siteId, title, pinned }: Props) {
  const { on, turn } = useToggle("sites.pin", pinned, (next) => ({ site_id: siteId, pinned: next }));
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={t("Pin {site}", { site: title })}
      title={on ? t("Unpin") : t("Pin to the top")}
      onClick={() => turn(!on)}
      className="relative z-10 -mt-1 -mr-1.5 grid size-8 shrink-0 place-items-center rounded-lg text-muted transition-opacity hover:bg-sunken hover:text-ink aria-pressed:text-accent pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100 pointer-fine:focus-visible:opacity-100 pointer-fine:aria-pressed:opacity-100"
    >
      <PinIcon className={on ? "fill-current" : undefined} />
    </button>
  );
}
