import { Monitor, Moon, Sun } from "lucide-react";
import { ThemeButton } from "@/components/shell/theme-button";
import { msg, t } from "@/lib/texts/translate";

const THEMES = [
  ["system", msg("Theme: device. Change"), Monitor],
  ["light", msg("Theme: light. Change"), Sun],
  ["dark", msg("Theme: dark. Change"), Moon],
] as const;

/** Cycles through device, light and dark. globals.css shows the icon and name of the current theme. */
export const ThemeToggle = () => (
  <ThemeButton>
    {THEMES.map(([theme, name, Icon]) => (
      <span key={theme} data-of-theme={theme}>
        <Icon className="size-[1.125rem]" />
        <span className="sr-only">{t(name)}</span>
      </span>
    ))}
  </ThemeButton>
);
