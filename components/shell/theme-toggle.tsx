import { Moon, Screen, Sun } from "@/components/ui/icons";

const THEMES = [
  ["system", "like your device", Screen],
  ["light", "light", Sun],
  ["dark", "dark", Moon],
] as const;

/** Goes round: like the device, light, dark. The script in the head does it; of the three, globals.css shows the one that is on. */
export const ThemeToggle = () => (
  <button
    type="button"
    data-turns-theme
    title="Colours"
    className="grid size-9 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
  >
    {THEMES.map(([theme, name, Icon]) => (
      <span key={theme} data-of-theme={theme}>
        <Icon className="size-[1.125rem]" />
        <span className="sr-only">Colours: {name}. Change</span>
      </span>
    ))}
  </button>
);
