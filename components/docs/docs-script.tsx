import { KEPT } from "@/lib/server/reading";

// All that moves in the docs, which React never wakes up: the search box of filter.tsx, and the buttons that copy.
const script = `(() => {
  document.addEventListener("input", ({ target }) => {
    const box = target.closest("[data-filters]");
    if (!box) return;
    const words = box.value.toLowerCase().split(/\\s+/);
    const all = [...document.querySelectorAll("[data-words]")];
    for (const one of all) one.hidden = !words.every((word) => one.dataset.words.includes(word));
    const found = all.filter((one) => !one.hidden).length;
    document.getElementById(box.dataset.filters).textContent =
      (found < all.length ? found + " of " : "") + all.length + " operations";
  });
  document.addEventListener("submit", (event) => {
    if (event.target.querySelector("[data-filters]")) event.preventDefault();
  });
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest("[data-copies]");
    if (!button) return;
    const said = button.querySelector("[aria-live]");
    const label = (button.dataset.label ??= said.textContent);
    try {
      await navigator.clipboard.writeText(button.dataset.copies);
      said.textContent = "Copied";
    } catch {
      said.textContent = "Select and copy by hand";
    }
    setTimeout(() => (said.textContent = label), 2000);
  });
})()`;

/** Finds and copies in the docs. */
export const DocsScript = ({ nonce }: { nonce: string | undefined }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, and the nonce lets only it run
  <script nonce={nonce} {...KEPT} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />
);
