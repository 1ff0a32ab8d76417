import { useRouter } from "next/navigation";
import { useEffect, useRef, useTransition } from "react";

/**
 * Returns a function that renders the page anew, for pages that update by themselves. It does nothing and returns false offline,
 * where Next.js would replace the page with the browser's error page, and while an earlier render is on its way: React
 * shows none that a later one follows, so that a page would stay as it is whose render takes longer than its pauses.
 */
export function usePageRefresh(): () => boolean {
  const router = useRouter();
  const [isRendering, start] = useTransition();
  const rendering = useRef(false);

  useEffect(() => {
    rendering.current = isRendering;
  }, [isRendering]);

  return () => {
    if (rendering.current || !navigator.onLine) return false;
    rendering.current = true;
    start(() => router.refresh());
    return true;
  };
}
