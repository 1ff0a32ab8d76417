"use client";

import type { ReactNode } from "react";
import { setPageLocale } from "@/lib/platform/locale";

/** Writes numbers and dates in `children` as the server did. @param locale the server's `currentLocale()` */
export function PageLocale({ locale, children }: { locale: string; children: ReactNode }) {
  // On the server each request carries its own; a browser has one reader.
  if (typeof window !== "undefined") setPageLocale(locale);
  return children;
}
