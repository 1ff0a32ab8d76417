"use client";

import type { ReactNode } from "react";
import { changeTheme } from "@/components/shell/theme";
import { t } from "@/lib/texts/translate";

/** Its icons come from the server, so that pages without other icons load no code for them. */
export const ThemeButton = ({ children }: { children: ReactNode }) => (
  <button
    type="button"
    onClick={changeTheme}
    title={t("Theme")}
    className="grid size-9 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
  >
    {children}
  </button>
);
