"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** The heading of the next step on the same page. It takes the focus, so that screen readers continue from it. */
export function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);

  return (
    <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold outline-none">
      {children}
    </h1>
  );
}
