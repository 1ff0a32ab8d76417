"use client";

import { useEffect, useEffectEvent } from "react";
import { startPolling } from "@/components/ui/polling";
import { usePageRefresh } from "@/components/ui/use-page-refresh";

/** Refreshes the page from the server at an interval while it is visible, and when it becomes visible. */
export function Refresh({ everyMs }: { everyMs: number }) {
  const refresh = useEffectEvent(usePageRefresh());

  useEffect(
    () =>
      startPolling({ everyMs }, async () => {
        refresh();
        return undefined;
      }),
    [everyMs],
  );

  return null;
}
