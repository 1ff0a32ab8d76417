"use client";

import { useLayoutEffect } from "react";
import { applyTheme, followDevice } from "@/components/shell/theme";

/** Keeps the theme while the page is open: the device may turn dark, and React removes it where it renders <html> anew. */
export function ThemeKeeper() {
  useLayoutEffect(() => {
    applyTheme();
    return followDevice();
  }, []);
  return null;
}
