"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";

interface Props {
  /** What is in it, for those who come there by keyboard. */
  label: string;
  className?: string;
  children: ReactNode;
}

/**
 * A frame in which something wide scrolls sideways, and never the page. Only where there is more than it shows does the
 * keyboard stop at it. A shadow lies on the right edge while there is more behind it; what stays in its place at the left
 * has one in `group-data-left/sideways`.
 */
export function Sideways({ label, className = "", children }: Props) {
  const frame = useRef<HTMLElement>(null);
  const [left, setLeft] = useState(false);
  const [right, setRight] = useState(false);

  useEffect(() => {
    const at = frame.current;
    if (!at) return;
    const look = () => {
      setLeft(at.scrollLeft > 1);
      setRight(at.scrollLeft + at.clientWidth < at.scrollWidth - 1);
    };
    const sizes = new ResizeObserver(look);
    for (const one of [at, ...at.children]) sizes.observe(one);
    at.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      at.removeEventListener("scroll", look);
    };
  }, []);

  return (
    <div className="group/sideways relative" data-left={left || undefined} data-right={right || undefined}>
      <section
        ref={frame}
        tabIndex={left || right ? 0 : undefined}
        aria-label={left || right ? label : undefined}
        className={`overflow-x-auto ${className}`}
      >
        {children}
      </section>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-0 z-20 w-6 rounded-br-xl bg-linear-to-l from-black/15 to-transparent dark:from-black/60 opacity-0 transition-opacity group-data-right/sideways:opacity-100 print:hidden"
      />
    </div>
  );
}
