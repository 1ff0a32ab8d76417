// Runs before the first paint, so that a dark page never flashes white. It reads what theme-toggle.tsx writes.
const script = `(() => {
  const wish = localStorage.getItem("theme");
  const dark = wish === "dark" || (wish !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
})()`;

export function ThemeScript({ nonce }: { nonce?: string }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, and the nonce lets only it run
    <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />
  );
}
