"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { changeTheme } from "@/components/shell/theme";
import { msg, t } from "@/lib/texts/translate";

const THEMES = [
  ["system", msg("Theme: device. Change"), Monitor],
  ["light", msg("Theme: light. Change"), Sun],
  ["dark", msg("Theme: dark. Change"), Moon],
] as const;

/** Cycles through device, light and dark. globals.css shows the icon and name of the current theme. */
export const ThemeToggle = () => (
  <button
    type="button"
    onClick={changeTheme}
    title={t("Theme")}
    className="grid size-9 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
  >
    {THEMES.map(([theme, name, Icon]) => (
      <span key={theme} data-of-theme={theme}>
        <Icon className="size-[1.125rem]" />
        <span className="sr-only">{t(name)}</span>
      </span>
    ))}
  </button>
);
