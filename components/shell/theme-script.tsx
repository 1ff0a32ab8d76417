// Runs before the first paint, so that a dark page never flashes white, and when the device turns dark or light. It reads
// what theme-toggle.tsx writes; the page that frames one of ours may ask for one in its address. A frame of another site may
// have no storage.
const script = `(() => {
  const device = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let wish = new URLSearchParams(location.search).get("theme");
    try {
      wish ??= localStorage.getItem("theme");
    } catch {}
    document.documentElement.classList.toggle("dark", wish === "dark" || (wish !== "light" && device.matches));
  };
  apply();
  device.addEventListener("change", apply);
})()`;

export function ThemeScript({ nonce }: { nonce?: string }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, and the nonce lets only it run
    <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />
  );
}
