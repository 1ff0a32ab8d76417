"use client";

import { usePathname } from "next/navigation";
import { createContext, type ReactNode, use } from "react";

const Path = createContext<string | null>(null);

/** What is inside is the report at this address, on whatever page it stands: its links and downloads lead there. */
export const ReportAt = ({ path, children }: { path: string; children: ReactNode }) => (
  <Path value={path}>{children}</Path>
);

/** The address of the report, or page, that this stands in. */
export function useReportPath(): string {
  const here = usePathname();
  return use(Path) ?? here;
}
