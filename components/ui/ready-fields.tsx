"use client";

import { type ReactNode, useSyncExternalStore } from "react";

/** Fields of a form whose code is loaded after its HTML: what was typed before would be lost, so they are disabled until then. */
export function ReadyFields({ className = "contents", children }: { className?: string; children: ReactNode }) {
  const isReady = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  return (
    <fieldset disabled={!isReady} className={className}>
      {children}
    </fieldset>
  );
}
