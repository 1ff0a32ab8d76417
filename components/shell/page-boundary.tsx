"use client";

import { type ComponentProps, type ReactNode, useEffect } from "react";
import { ServerError } from "@/components/shell/server-error";
import { ErrorBoundary } from "@/components/ui/boundary";
import { useRetry } from "@/components/ui/failed";

/** Keeps what a layout has around its pages when one of them fails. */
export const PageBoundary = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary shown={(error, retry) => <FailedPage error={error} retry={retry} />}>{children}</ErrorBoundary>
);

function FailedPage({ error, retry }: Pick<ComponentProps<typeof ServerError>, "error" | "retry">) {
  const { busy, tryAgain } = useRetry(retry);
  // The page that failed cannot scroll to its beginning.
  useEffect(() => window.scrollTo(0, 0), []);
  return <ServerError error={error} retry={tryAgain} busy={busy} />;
}
