"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { startPolling } from "@/components/ui/polling";

/** Refreshes the page from the server at an interval while it is visible, and when it becomes visible. */
export function Refresh({ everyMs }: { everyMs: number }) {
  const router = useRouter();

  useEffect(
    () =>
      startPolling({ everyMs }, async () => {
        // Offline, Next.js would replace the page with the browser's error page.
        if (navigator.onLine) router.refresh();
        return undefined;
      }),
    [router, everyMs],
  );

  return null;
}
