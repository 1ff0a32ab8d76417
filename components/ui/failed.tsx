"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { UNREACHABLE, useToast } from "@/components/ui/toaster";
import { t } from "@/lib/texts/translate";

interface Props {
  /** What could not be loaded, as the end of a sentence: "the numbers". */
  what: string;
  /** Why, in a sentence of its own. */
  why?: string | undefined;
  /** Tries again. By default the router refreshes the page. */
  retry?: (() => void) | undefined;
  /** Called once what `retry` asked for has arrived. */
  done?: () => void;
  className?: string;
}

/** Returns a function that tries again in a transition, and whether it goes on. @param done called once it has ended */
export function useRetry(retry: () => void, done?: () => void): { busy: boolean; tryAgain(): void } {
  const showToast = useToast();
  const [busy, start] = useTransition();
  const wasBusy = useRef(false);
  const end = useEffectEvent(() => done?.());

  useEffect(() => {
    if (wasBusy.current && !busy) end();
    wasBusy.current = busy;
  }, [busy]);

  function tryAgain() {
    // Offline, Next.js would replace the page with the browser's error page.
    if (navigator.onLine) start(retry);
    else showToast({ text: t(UNREACHABLE), bad: true });
  }

  return { busy, tryAgain };
}

/** Error message with a retry button in place of a part of a page that could not be loaded. */
export function Failed({ what, why, retry, done, className = "" }: Props) {
  const router = useRouter();
  const { busy, tryAgain } = useRetry(retry ?? (() => router.refresh()), done);
  return (
    <div className={`flex min-h-14 flex-wrap items-center justify-between gap-x-3 gap-y-1 ${className}`}>
      <p className="text-sm text-muted">
        {t("Could not load {what}.", { what })}
        {why && ` ${why}`}
      </p>
      {/* Stacked above the link that covers a card. */}
      <Button look="quiet" size="small" disabled={busy} className="relative z-10" onClick={tryAgain}>
        {busy ? t("Loading…") : t("Try again")}
      </Button>
    </div>
  );
}
