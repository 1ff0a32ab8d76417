"use client";

import type { ReactNode } from "react";
import { setPageLocale } from "@/lib/platform/locale";

/** Formats numbers and dates in `children` with the server's locale. @param locale the server's `currentLocale()` */
export function PageLocale({ locale, children }: { locale: string; children: ReactNode }) {
  // On the server, each request has its own locale.
  if (typeof window !== "undefined") setPageLocale(locale);
  return children;
}
