"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { AWAY, useToast } from "@/components/ui/toaster";

interface Props {
  /** What could not be loaded, as the end of a sentence: "the numbers". */
  what: string;
  /** Tries again; without it the page is rendered again, and what else it shows stays. */
  retry?: (() => void) | undefined;
  className?: string;
}

/** Takes the place of a part of a page that could not be loaded; everything around it stays. */
export function Failed({ what, retry, className = "" }: Props) {
  const router = useRouter();
  const say = useToast();
  const [busy, start] = useTransition();

  function tryAgain() {
    // Offline, Next would replace the page by the browser's own error page.
    if (navigator.onLine) start(retry ?? (() => router.refresh()));
    else say({ text: AWAY, bad: true });
  }

  return (
    <div className={`flex min-h-14 flex-wrap items-center justify-between gap-x-3 gap-y-1 ${className}`}>
      <p className="text-sm text-muted">Could not load {what}.</p>
      {/* Above a link that covers a card. */}
      <Button look="quiet" size="small" disabled={busy} className="relative z-10" onClick={tryAgain}>
        {busy ? "Loading…" : "Try again"}
      </Button>
    </div>
  );
}
