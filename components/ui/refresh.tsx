"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Refreshes the page from the server at an interval while it is visible. */
export function Refresh({ everyMs }: { everyMs: number }) {
  const router = useRouter();

  useEffect(() => {
    const timer = setInterval(() => {
      // Offline, Next.js would replace the page with the browser's error page.
      if (document.visibilityState === "visible" && navigator.onLine) router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);

  return null;
}
