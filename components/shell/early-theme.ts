/**
 * Inline script of the root layout: sets the theme before the first paint, so that a dark page never flashes white.
 * proxy.ts allows it by its hash in the CSP. theme.ts does the same after hydration.
 */
export const EARLY_THEME = `(() => {
  let theme;
  try {
    theme = localStorage.getItem("theme");
  } catch {
    theme = null;
  }
  const wanted = new URLSearchParams(location.search).get("theme") ?? theme;
  const dark = wanted === "dark" || (wanted !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const root = document.documentElement;
  root.dataset.theme = theme === "light" || theme === "dark" ? theme : "system";
  root.classList.toggle("dark", dark);
})()`;
