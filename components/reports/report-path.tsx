"use client";

import { usePathname } from "next/navigation";
import { createContext, type ReactNode, use } from "react";

const Path = createContext<string | null>(null);

/** Sets the path of a report that is embedded in another page, for its links and downloads. */
export const ReportAt = ({ path, children }: { path: string; children: ReactNode }) => (
  <Path value={path}>{children}</Path>
);

/** Returns the path of the surrounding report, or of the page. */
export function useReportPath(): string {
  const here = usePathname();
  return use(Path) ?? here;
}
