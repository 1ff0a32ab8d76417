"use client";

import { useEffect, useState } from "react";
import { Moon, Screen, Sun } from "@/components/ui/icons";

const THEMES = { system: "like your device", light: "light", dark: "dark" } as const;
type Theme = keyof typeof THEMES;
const ORDER: Theme[] = ["system", "light", "dark"];
const ICONS = { system: Screen, light: Sun, dark: Moon };

const prefersDark = () => matchMedia("(prefers-color-scheme: dark)");

function apply(theme: Theme) {
  document.documentElement.classList.toggle("dark", theme === "dark" || (theme === "system" && prefersDark().matches));
}

/** Goes round: like the device, light, dark. */
export function ThemeToggle() {
  const [theme, setTheme] = useState<Theme>("system");

  useEffect(() => {
    const kept = localStorage.getItem("theme");
    const theme = kept === "light" || kept === "dark" ? kept : "system";
    setTheme(theme);
    // The script in the head has done this already, except on a page that Next had to draw in the browser.
    apply(theme);
  }, []);

  function turn() {
    const next = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? "system";
    if (next === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", next);
    setTheme(next);
    apply(next);
  }

  const Icon = ICONS[theme];
  return (
    <button
      type="button"
      onClick={turn}
      title={`Colours: ${THEMES[theme]}`}
      aria-label={`Colours: ${THEMES[theme]}. Change`}
      className="grid size-9 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
    >
      <Icon className="size-[1.125rem]" />
    </button>
  );
}
