import { KEPT } from "@/lib/server/reading";

// Runs before the first paint, so that a dark page never flashes white, and when the device turns dark or light, and when
// the button of theme-toggle.tsx is pressed, which every page has, also one that React never wakes up. The page that frames
// one of ours may ask for a theme in its address. A frame of another site may have no storage.
const script = `(() => {
  const root = document.documentElement;
  const device = matchMedia("(prefers-color-scheme: dark)");
  const themes = ["system", "light", "dark"];
  let kept;
  try {
    kept = localStorage.getItem("theme");
  } catch {}
  let theme = themes.includes(kept) ? kept : "system";
  let wish = new URLSearchParams(location.search).get("theme") ?? theme;
  const apply = () => {
    root.dataset.theme = theme;
    root.classList.toggle("dark", wish === "dark" || (wish !== "light" && device.matches));
  };
  apply();
  device.addEventListener("change", apply);
  // What Next had to draw anew, in the browser, knows of no theme.
  new MutationObserver(() => root.dataset.theme === theme || apply()).observe(root, { attributes: true });
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element && target.closest("[data-turns-theme]"))) return;
    theme = wish = themes[(themes.indexOf(theme) + 1) % themes.length];
    try {
      if (theme === "system") localStorage.removeItem("theme");
      else localStorage.setItem("theme", theme);
    } catch {}
    apply();
  });
})()`;

export function ThemeScript({ nonce }: { nonce?: string }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, and the nonce lets only it run
    <script nonce={nonce} {...KEPT} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />
  );
}
