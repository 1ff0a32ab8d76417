"use client";

import { Activity, type ReactNode, Suspense, useState } from "react";
import { Boundary } from "@/components/ui/boundary";

interface Props {
  /** What could not be loaded where it fails, as the end of a sentence: "the chart". */
  what: string;
  /** Whether it came with the page. */
  there: boolean;
  /** What holds its place until it comes. */
  fallback?: ReactNode;
  children: ReactNode;
}

/**
 * A part of a page that comes later where it takes long. React would send one that is there already behind its placeholder
 * too, and show that for a third of a second. Either way it is woken up after what stands around it, or when it is pressed.
 * Where it fails, what stands around it stays.
 */
export function Arriving({ what, there, fallback, children }: Props) {
  // What is shown stays where it is in the tree, and keeps its state, whatever the next view takes.
  const [cameAlong] = useState(there);
  return (
    <Boundary what={what} className="card p-4">
      {cameAlong ? <Activity>{children}</Activity> : <Suspense fallback={fallback}>{children}</Suspense>}
    </Boundary>
  );
}
