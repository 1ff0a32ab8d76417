import type { ReactNode } from "react";

/** Shows its children once their HTML has arrived whole: of a row that wraps, each part would move the ones before it. */
export const Whole = ({ className = "", children, ...data }: { className?: string; children: ReactNode }) => (
  <div {...data} className={`not-has-[>[data-end]]:invisible ${className}`}>
    {children}
    <span data-end hidden />
  </div>
);
