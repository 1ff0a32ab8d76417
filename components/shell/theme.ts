/** What the page looks like: "system" follows the device. */
export type Theme = "system" | "light" | "dark";

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

/** What was chosen on this page; it wins over the address. */
let chosen: Theme | null = null;

/** Changes to the theme after the current one, and remembers it in this browser. */
export function changeTheme(): void {
  chosen = NEXT[chosen ?? storedTheme()];
  try {
    if (chosen === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", chosen);
  } catch {
    // A frame in a page of another site may have no storage. The choice holds for this page.
  }
  applyTheme();
}

/** Puts the theme on the root element. The page that frames ours may ask for one in the address. */
export function applyTheme(): void {
  const theme = chosen ?? storedTheme();
  const wanted = chosen ?? new URLSearchParams(location.search).get("theme") ?? theme;
  const { documentElement: root } = document;
  root.dataset.theme = theme;
  root.classList.toggle("dark", wanted === "dark" || (wanted !== "light" && deviceIsDark().matches));
}

/** @returns a function that ends it */
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
