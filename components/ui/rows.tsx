import type { ReactNode } from "react";

/** The rows of a section, or a text if there are none. */
export const Rows = ({ empty, children }: { empty: string; children: ReactNode[] }) => (
  <>
    {children.length === 0 && <p className="text-sm text-muted">{empty}</p>}
    <ul className="divide-y divide-line not-empty:-my-2.5">{children}</ul>
  </>
);
