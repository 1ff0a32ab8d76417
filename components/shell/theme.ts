/** The colour theme; "system" follows the device. */
type Theme = "system" | "light" | "dark";

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

/** The theme chosen on this page; it takes precedence over the `theme` search parameter. */
let chosen: Theme | null = null;

/** Switches to the next theme and stores it in this browser. */
export function changeTheme(): void {
  chosen = NEXT[chosen ?? storedTheme()];
  try {
    if (chosen === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", chosen);
  } catch {
    // Storage may be blocked in a third-party iframe. The choice then lasts for this page only.
  }
  applyTheme();
}

/** Sets the theme on the root element. A page that embeds this one can set it with the `theme` search parameter. */
export function applyTheme(): void {
  const theme = chosen ?? storedTheme();
  const wanted = chosen ?? new URLSearchParams(location.search).get("theme") ?? theme;
  const { documentElement: root } = document;
  root.dataset.theme = theme;
  root.classList.toggle("dark", wanted === "dark" || (wanted !== "light" && deviceIsDark().matches));
}

/** Applies the theme whenever the device setting changes. @returns a function that unsubscribes */
export function followDevice(): () => void {
  const device = deviceIsDark();
  device.addEventListener("change", applyTheme);
  return () => device.removeEventListener("change", applyTheme);
}

const deviceIsDark = () => matchMedia("(prefers-color-scheme: dark)");

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem("theme");
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system";
  }
}
