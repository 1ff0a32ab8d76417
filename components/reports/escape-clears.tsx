"use client";

import { useEffect, useEffectEvent } from "react";
import { isTypedInto } from "@/components/reports/shortcuts";
import { useGo } from "@/components/reports/view-frame";
import { hasToast, isInOverlay } from "@/components/ui/overlays";

/** Makes Escape clear all filters, unless it closes an overlay or a toast first. */
export function EscapeClears() {
  const go = useGo();
  const clear = useEffectEvent(() => go({ filters: null }));

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Escape" || event.defaultPrevented || isElsewhere(event.target)) return;
      clear();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  return null;
}

const isElsewhere = (target: EventTarget | null): boolean => isTypedInto(target) || isInOverlay(target) || hasToast();
