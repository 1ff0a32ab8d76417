"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";

/** Takes the place of a site's numbers that could not be loaded. */
export function CardFailed() {
  const router = useRouter();
  const [busy, start] = useTransition();
  return (
    <div className="flex h-14 items-center justify-between gap-3">
      <p className="text-sm text-muted">Could not load.</p>
      {/* Above the link that covers the card. */}
      <Button
        look="quiet"
        size="small"
        disabled={busy}
        className="relative z-10"
        onClick={() => start(() => router.refresh())}
      >
        Try again
      </Button>
    </div>
  );
}
