"use client";

import { ZoomOut as Icon } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { ViewLink } from "@/components/reports/view-frame";
import { unzoomed } from "@/components/reports/zoom";
import { menuLook } from "@/components/ui/menu-look";
import { t } from "@/lib/texts/translate";

/** A link back to the range before a zoom; nothing in a view that is not zoomed. */
export function ZoomOut() {
  const patch = unzoomed(useSearchParams());
  if (!patch) return null;
  return (
    <ViewLink patch={patch} className={menuLook("boxed")}>
      <Icon className="size-4 text-muted" />
      {t("Zoom out")}
    </ViewLink>
  );
}
