"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";

interface Props {
  /** Accessible name of the scrollable region. */
  label: string;
  className: string;
  children: ReactNode;
}

/**
 * A container that scrolls wide content horizontally. It is a tab stop only while it overflows. The right edge has a
 * shadow while there is more content; sticky content at the left shows one with `group-data-left/sideways`.
 */
export function Sideways({ label, className, children }: Props) {
  const frame = useRef<HTMLElement>(null);
  const [left, setLeft] = useState(false);
  const [right, setRight] = useState(false);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => {
      setLeft(element.scrollLeft > 1);
      setRight(element.scrollLeft + element.clientWidth < element.scrollWidth - 1);
    };
    const observer = new ResizeObserver(measure);
    for (const one of [element, ...element.children]) observer.observe(one);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
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
