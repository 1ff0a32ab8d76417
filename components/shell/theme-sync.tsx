"use client";

import { useLayoutEffect } from "react";
import { applyTheme, followDevice } from "@/components/shell/theme";

/** Applies the theme again when the device setting changes or React re-renders `<html>` and drops the class. */
export function ThemeSync() {
  useLayoutEffect(() => {
    applyTheme();
    return followDevice();
  }, []);
  return null;
}
