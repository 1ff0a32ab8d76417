"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Asks the server for this page anew now and then while someone looks at it: what it tells will change by itself. */
export function Refresh({ everyMs }: { everyMs: number }) {
  const router = useRouter();

  useEffect(() => {
    const timer = setInterval(() => {
      // Offline, Next would replace the page by the browser's own error page.
      if (document.visibilityState === "visible" && navigator.onLine) router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);

  return null;
}
