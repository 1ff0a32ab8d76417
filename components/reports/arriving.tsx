"use client";

import { Activity, type ReactNode, Suspense, useState } from "react";

interface Props {
  /** Whether it came with the page. */
  there: boolean;
  /** What holds its place until it comes. */
  fallback?: ReactNode;
  children: ReactNode;
}

/**
 * A part of a page that comes later where it takes long. React would send one that is there already behind its placeholder
 * too, and show that for a third of a second. Either way it is woken up after what stands around it, or when it is pressed.
 */
export function Arriving({ there, fallback, children }: Props) {
  // What is shown stays where it is in the tree, and keeps its state, whatever the next view takes.
  const [cameAlong] = useState(there);
  return cameAlong ? <Activity>{children}</Activity> : <Suspense fallback={fallback}>{children}</Suspense>;
}
