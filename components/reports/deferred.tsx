"use client";

import { Activity, type ReactNode, Suspense, useState } from "react";
import { Boundary } from "@/components/ui/boundary";

interface Props {
  /** Name of the part in the error message, as the end of a sentence: "the chart". */
  what: string;
  /** Whether its data was ready when the page was rendered. */
  isReady: boolean;
  /** Placeholder until it arrives. */
  fallback?: ReactNode;
  children: ReactNode;
}

/**
 * A part of a page that is streamed if it is slow. If its data is ready it renders without Suspense, because React
 * would show the placeholder for a third of a second. Either way it hydrates after the rest of the page, or on
 * interaction.
 */
export function Deferred({ what, isReady, fallback, children }: Props) {
  // The first value is kept: a switch of the wrapper would reset the state of the children.
  const [wasReady] = useState(isReady);
  return (
    <Boundary what={what} className="card p-4">
      {wasReady ? <Activity>{children}</Activity> : <Suspense fallback={fallback}>{children}</Suspense>}
    </Boundary>
  );
}
