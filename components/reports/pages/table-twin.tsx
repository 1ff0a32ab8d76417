import type { ReactNode } from "react";

/** The table with the data of the chart above it, collapsed by default. */
export const TableTwin = ({ children }: { children: ReactNode }) => (
  <details className="group">
    <summary className="w-fit rounded-md px-2 py-1 text-sm font-medium text-accent hover:bg-sunken">
      Show as table
    </summary>
    <div className="mt-2">{children}</div>
  </details>
);
