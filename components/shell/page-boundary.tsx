"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { ServerError } from "@/components/shell/server-error";
import { ErrorBoundary, type Thrown } from "@/components/ui/boundary";
import { useRetry } from "@/components/ui/failed";

/** Keeps what a layout has around its pages when one of them fails. */
export const PageBoundary = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary shown={(error, reset) => <FailedPage error={error} reset={reset} />}>{children}</ErrorBoundary>
);

function FailedPage({ error, reset }: { error: Thrown; reset: () => void }) {
  const router = useRouter();
  const { busy, tryAgain } = useRetry(() => router.refresh(), reset);
  // The page that failed cannot scroll to its beginning.
  useEffect(() => {
    // In some browsers it returns a promise, which is no clean-up.
    window.scrollTo(0, 0);
  }, []);
  return <ServerError error={error} retry={tryAgain} busy={busy} />;
}
